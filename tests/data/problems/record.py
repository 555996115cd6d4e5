#!/usr/bin/env python3
"""Writes recorded.txt.gz: contact problems of the scenes in scenes/ at the times below, with a force for each that solves it.

    tests/data/problems/record.py build/delassus

The force is that of `delassus solve`; known_problem_test judges it by the conditions of each contact, without the solver's
code. Run it again only to take other scenes: problems that change show nothing about those that were solved before.
"""
import gzip
import json
import pathlib
import subprocess
import sys
import tempfile

TAKEN = {"wall": ["09", "60"], "tower": ["05", "20"], "bin": ["40", "59"], "crates": ["40", "75"]}


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    here = pathlib.Path(__file__).resolve().parent
    text = ""
    with tempfile.TemporaryDirectory() as folder:
        for scene, points in TAKEN.items():
            dump = pathlib.Path(folder, scene)
            subprocess.run([program, "simulate", here / "scenes" / f"{scene}.xml", "--quiet", "--dump-problems", dump,
                            "-o", f"{folder}/{scene}.csv"], check=True)
            for point in points:
                file = dump / f"{scene}-{point}.txt"
                run = subprocess.run([program, "solve", file, "--json", "--repeat", "1", "--tolerance", "1e-13"],
                                     capture_output=True, text=True)
                force = json.loads(run.stdout)[0]["lambda"]
                text += f"problem {scene}_{point} coulomb any\n" + file.read_text().rstrip("\n") + "\n"
                text += "".join(" ".join(repr(x) for x in force[i:i + 3]) + "\n" for i in range(0, len(force), 3))
    with open(here / "recorded.txt.gz", "wb") as out:
        out.write(gzip.compress(text.encode("ascii"), 9, mtime=0))


main()
