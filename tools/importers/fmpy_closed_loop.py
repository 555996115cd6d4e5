"""Closes the loop of the example system `positioning` with FMPy alone: a block on a dry table and its PID controller, both FMI 3.0.

    delassus build positioning --fmi 3 -o positioning.ssp
    python3 fmpy_closed_loop.py positioning.ssp

Writes fmpy_closed_loop.csv. Take it as a pattern for loops of your own: the plant may be any FMU of Delassus, the controller may be
yours.
"""
import csv
import shutil
import sys
import zipfile
from pathlib import Path
from tempfile import mkdtemp

from fmpy import extract, read_model_description
from fmpy.fmi3 import FMU3Slave

FILES = {"plant": "block_on_table.fmu", "controller": "position_pid.fmu"}
# from, to: what is measured, and what is commanded
CONNECTIONS = [
    ("plant", "block.position", "controller", "measurement"),
    ("plant", "block.velocity", "controller", "measured_rate"),
    ("controller", "output", "plant", "drive"),
]
START, STOP, STEP = 0.0, 10.0, 1e-3


class Component:
    def __init__(self, name, file):
        description = read_model_description(str(file))
        self.references = {variable.name: variable.valueReference for variable in description.modelVariables}
        self.folder = extract(str(file))
        self.fmu = FMU3Slave(
            instanceName=name,
            guid=description.guid,
            unzipDirectory=self.folder,
            modelIdentifier=description.coSimulation.modelIdentifier,
        )
        self.fmu.instantiate()

    def get(self, variable):
        return self.fmu.getFloat64([self.references[variable]])[0]

    def set(self, variable, value):
        self.fmu.setFloat64([self.references[variable]], [value])

    def close(self):
        self.fmu.terminate()
        self.fmu.freeInstance()
        shutil.rmtree(self.folder, ignore_errors=True)


def main(system):
    folder = Path(mkdtemp())
    with zipfile.ZipFile(system) as archive:
        archive.extractall(folder)
    components = {name: Component(name, folder / "resources" / file) for name, file in FILES.items()}

    def exchange():
        for source, output, target, variable in CONNECTIONS:
            components[target].set(variable, components[source].get(output))

    for component in components.values():
        component.fmu.enterInitializationMode(startTime=START, stopTime=STOP)
    exchange()
    for component in components.values():
        component.fmu.exitInitializationMode()

    with open("fmpy_closed_loop.csv", "w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["time"] + [f"{source}.{output}" for source, output, _, _ in CONNECTIONS])
        steps = round((STOP - START) / STEP)
        for k in range(steps + 1):
            time = START + k * STEP
            exchange()
            rows.writerow([time] + [components[source].get(output) for source, output, _, _ in CONNECTIONS])
            if k < steps:
                for component in components.values():
                    component.fmu.doStep(currentCommunicationPoint=time, communicationStepSize=STEP)

    print(f"the block is at {1e3 * components['plant'].get('block.position'):.3f} mm after {STOP:g} s")
    for component in components.values():
        component.close()
    shutil.rmtree(folder)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "positioning.ssp")
