cmake_policy(VERSION 3.22)
# The public interface in C++: what a program needs that reads a scene, steps it, solves contact problems and analyses them. These
# headers and those that they include are documented and installed, and no others.
set(delassus_public_headers
  xml/scene/reader.hpp                        # scenes from files
  model/equations/scene_system.hpp            # their equations
  solver/time/stepper.hpp                     # their motion
  solver/problem/contact_problem.hpp          # A, b and the force sets
  solver/problem/residual.hpp                 # how far a force is from solving it
  solver/island/contact_solver.hpp            # and its solution
  solver/analysis/well_posedness.hpp          # whether there is one, and only one
  solver/analysis/solutions/all_solutions.hpp
  model/numbers/unfused_neon.hpp)             # before Eigen, on ARM
# The libraries that these headers belong to.
set(delassus_public_libraries model solver analysis xml_scene)

# delassus_public_closure(<root of the sources> <variable>): the public headers and whatever of ours they include, by name.
function(delassus_public_closure root variable)
  set(open ${delassus_public_headers})
  set(closed "")
  while(open)
    list(POP_FRONT open header)
    if(NOT header IN_LIST closed)
      list(APPEND closed ${header})
      file(STRINGS ${root}/${header} includes REGEX "^ *# *include \"")
      list(TRANSFORM includes REPLACE "^[^\"]*\"([^\"]*)\".*$" "\\1")
      list(APPEND open ${includes})
    endif()
  endwhile()
  list(SORT closed)
  set(${variable} ${closed} PARENT_SCOPE)
endfunction()
