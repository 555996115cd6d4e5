// One scene with the elements that few scenes of the library have: a group of contacts, compliant friction with its
// deflections, a belt and a prescribed body moved by inputs, a drive, limits, springs, a torque, renamed variables.
#pragma once

#include "model/scene/scene.hpp"
#include "xml/scene/reader.hpp"

namespace delassus::test {

inline Scene scene_of_many_elements() {
  return compile_scene(read_scene_source(R"(<scene name="many_elements">
  <gravity acceleration="0 -9.81"/>
  <experiment stop="1" step="0.002"/>
  <solver step="0.001" tolerance="1e-8"/>
  <interface event_clock="yes" analysis="yes" integers="yes"/>
  <body name="floor" type="prescribed"><plane/><motion surface="yes" input="yes" velocity="0.1 0"/></body>
  <body name="lift" type="prescribed">
    <box half_size="0.1 0.1"/><initial position="3 0.5"/><motion input="yes"/></body>
  <body name="low" type="planar" density="100"><box half_size="0.1 0.1"/><initial position="0 0.1"/></body>
  <body name="high" type="planar" density="100">
    <sphere radius="0.1"/><sphere name="other" radius="0.05" position="0.1 0"/><initial position="0 0.31"/></body>
  <body name="foot" type="planar" mass="1"><box half_size="0.1 0.1"/><initial position="1 0.1"/></body>
  <body name="arm" type="planar" mass="1">
    <rod half_length="0.5"/><point name="end" fraction="1"/><point name="tip" fraction="-1"/>
    <initial position="2 1" point="end"/></body>
  <body name="cart" type="slider" axis="x" mass="1"/>
  <contacts name="pile" between="floor low high" mu="0.3" restitution="0.2"/>
  <contact name="sole" point="foot" with="floor" law="kelvin_voigt" stiffness="1e4" damping="100" mu="0.4"
    friction="compliant" tangential_stiffness="1e4" tangential_damping="100"/>
  <joint name="hinge" type="revolute" a="arm.end" lower="-2" upper="2" friction="0.1" drive="motor"/>
  <friction name="rail" point="cart" bound="0.5"/>
  <spring name="band" a="cart" b="arm.tip" stiffness="10" damping="0.1"/>
  <torsion_spring name="coil" a="arm" stiffness="1" damping="0.1" angle="0"/>
  <force name="push" point="low"/>
  <torque name="twist" body="high"/>
  <expose variable="low.density" as="hidden"/>
  <expose variable="low.position" alias="low_place"/>
</scene>)",
                                         "many_elements.xml"));
}

}  // namespace delassus::test
