#!/usr/bin/env python3
"""Writes constructed.txt: contact problems whose solution is known exactly, in the format of README.md beside this file.

Nothing is solved. Bodies have masses and inertias that are powers of two, contact points with small whole coordinates and
normals along an axis, so that J M^-1 J^T has entries without rounding. Forces and motions are chosen for each contact so that
they fulfil its law: no force where it opens, a force inside the cone where it sticks, a force on the cone's boundary opposite
to the motion where it slides; directions of sliding are (3, 4) / 5, mu is 5 over a power of two. Then b = A lambda - eta is
exact as well: all of it is computed with fractions, and refused where a double does not hold it.
"""
import random
from fractions import Fraction as F

AXES = [((1, 0, 0), (0, 1, 0), (0, 0, 1)), ((0, 1, 0), (0, 0, 1), (1, 0, 0)), ((0, 0, 1), (1, 0, 0), (0, 1, 0))]


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


class Body:
    def __init__(self, mass, inertia):
        self.inverse = [F(1) / mass] * 3 + [F(1) / F(i) for i in inertia]


class Problem:
    """Contacts of bodies; body None is the ground. A row of J holds, for each of its bodies, six numbers."""

    def __init__(self, name, law="coulomb", unique=False):
        self.name, self.law, self.unique = name, law, unique
        self.bodies, self.contacts = [], []

    def body(self, mass=F(1), inertia=(F(1), F(1), F(1))):
        self.bodies.append(Body(F(mass), inertia))
        return len(self.bodies) - 1

    def contact(self, mu, axis, sign, sides, force=None, motion=None):
        """sides: (body, point in its frame) of the one that the normal points to, then of the other."""
        t1, t2, n = AXES[axis]
        frame = [t1, t2, tuple(sign * x for x in n)]
        rows = []
        for direction in frame:
            row = {}
            for side, (body, point) in zip((1, -1), sides):
                if body is not None:
                    row[body] = [side * x for x in tuple(direction) + cross(point, direction)]
            rows.append(row)
        self.contacts.append([F(mu), rows, force, motion])

    def motion_of(self, contact, twists):
        return [sum(dot(part, twists[body]) for body, part in row.items()) for row in contact[1]]

    def block(self, i, j):
        one, other = self.contacts[i][1], self.contacts[j][1]
        return [[sum(sum(x * y * m for x, y, m in zip(r[b], s[b], self.bodies[b].inverse)) for b in r if b in s)
                 for s in other] for r in one]

    def write(self, out):
        n = len(self.contacts)
        blocks = {}
        for i in range(n):
            for j in range(n):
                block = self.block(i, j)
                if i == j or any(any(row) for row in block):
                    blocks[i, j] = block
        if self.law == "nakaoka":  # lambda follows from r = A^-1 b: here `motion` holds r
            bs = [[sum(dot(blocks[i, j][k], self.contacts[j][3]) for j in range(n) if (i, j) in blocks)
                   for k in range(3)] for i in range(n)]
        else:
            bs = [[sum(dot(blocks[i, j][k], self.contacts[j][2]) for j in range(n) if (i, j) in blocks)
                   - self.contacts[i][3][k] for k in range(3)] for i in range(n)]
        out.write(f"problem {self.name} {self.law} {'unique' if self.unique else 'any'}\n{n} {len(blocks)}\n")
        for (mu, _, _, _), b in zip(self.contacts, bs):
            out.write(" ".join(exact(x) for x in [mu] + b) + "\n")
        for (i, j), block in sorted(blocks.items()):
            out.write(f"{i} {j} " + " ".join(exact(x) for row in block for x in row) + "\n")
        for contact in self.contacts:
            out.write(" ".join(exact(x) for x in contact[2]) + "\n")


def exact(x):
    x = F(x)
    if F(float(x)) != x:
        raise ValueError(f"{x} is no double")
    return str(int(x)) if x.denominator == 1 and abs(x) < 10**15 else repr(float(x))


MU = F(5, 8)


def sliding(size, direction):
    """A force and a motion on the boundary; direction: one of the exact ones."""
    a, b = direction
    return [-a * size, -b * size, 8 * size]


DIRECTIONS = [(3, 4), (-3, 4), (4, -3), (0, 5), (-5, 0), (-4, -3)]


def random_mode(rng, mode):
    size = F(2) ** rng.randint(-3, 3)
    a, b = rng.choice(DIRECTIONS)
    if mode == "detached":
        return [F(0)] * 3, [F(rng.randint(-4, 4)), F(rng.randint(-4, 4)), size]
    if mode == "stick":
        return [F(a) * size / 2, F(b) * size / 4, 8 * size], [F(0)] * 3
    speed = F(2) ** rng.randint(-3, 3)
    return sliding(size, (a, b)), [a * speed, b * speed, F(0)]


def point(rng, reach=3):
    return tuple(rng.randint(-reach, reach) for _ in range(3))


def separate_spheres(name, count, decades, seed):
    """Spheres side by side on a plane: A is diagonal, so that no other force solves it."""
    rng = random.Random(seed)
    p = Problem(name, unique=True)
    for k in range(count):
        mass = F(2) ** rng.randint(-decades, decades)
        body = p.body(mass, (mass / 2,) * 3)
        force, motion = random_mode(rng, ["detached", "stick", "slip"][k % 3])
        p.contact(MU, 0, 1, [(body, (0, 0, -1)), (None, None)], force, motion)
    return p


def one_contact(name, mode, seed):
    rng = random.Random(seed)
    p = Problem(name)
    body = p.body(F(2) ** rng.randint(-2, 2), [F(2) ** rng.randint(-2, 2) for _ in range(3)])
    force, motion = random_mode(rng, mode)
    p.contact(MU, rng.randint(0, 2), rng.choice((1, -1)), [(body, point(rng)), (None, None)], force, motion)
    return p


def graph(name, bodies, contacts, decades, seed, chain=False):
    """Bodies that touch anywhere, fewer rows than freedoms; modes at random. Two contacts of the same two bodies make A
    singular; in a chain there are none."""
    rng = random.Random(seed)
    p = Problem(name)
    for _ in range(bodies):
        mass = F(2) ** rng.randint(-decades, decades)
        p.body(mass, [mass * F(2) ** rng.randint(-1, 1) for _ in range(3)])
    for k in range(contacts):
        one = k % bodies
        other = None if k < bodies else rng.choice([x for x in range(bodies) if x != one])
        if chain:
            other = k - 1 if k else None
        force, motion = random_mode(rng, rng.choice(["detached", "stick", "slip", "slip"]))
        p.contact(MU, rng.randint(0, 2), rng.choice((1, -1)),
                  [(one, point(rng)), (other, point(rng) if other is not None else None)], force, motion)
    return p


def tower(name, levels, decades, seed):
    """Boxes of side two on their four corners, redundant; each level rests, slides, is lifted or tilts over an edge."""
    rng = random.Random(seed)
    p = Problem(name)
    boxes = [p.body(F(2) ** (decades * k), [F(2) ** (decades * k - 1)] * 3) for k in range(levels)]
    twists = []
    modes = []
    for k in range(levels):
        below = twists[k - 1] if k else [F(0)] * 6
        what = rng.choice(["rest", "slide", "slide", "lift", "tilt"])
        if any(below[3:]):
            what = "lift"  # on a box that turns
        a, b = rng.choice(DIRECTIONS)
        c = F(2) ** rng.randint(-2, 2)
        own = {"rest": [0] * 6, "slide": [a * c, b * c, 0, 0, 0, 0],
               "lift": [c, -c, 8 * c + (8 * abs(below[3]) if any(below[3:]) else 0), 0, 0, 0],
               # about the edge y = -1, z = -1 of the box, its direction x
               "tilt": [0, -c, c, c, 0, 0]}[what]
        twists.append([F(x) + y for x, y in zip(own, below[:3] + [F(0)] * 3)])
        modes.append((what, (a, b)))
    for k in range(levels):
        for x in (-1, 1):
            for y in (-1, 1):
                lower = (boxes[k - 1], (x, y, 1)) if k else (None, None)
                p.contact(MU, 0, 1, [(boxes[k], (x, y, -1)), lower])
                contact = p.contacts[-1]
                motion = p.motion_of(contact, twists)
                what, direction = modes[k]
                size = F(2) ** rng.randint(0, 3)
                if motion[2] > 0:
                    force = [F(0)] * 3
                elif motion[0] == 0 and motion[1] == 0:
                    force = [size, -size, 8 * size]
                else:
                    force = sliding(size, direction)
                assert motion[2] >= 0
                contact[2], contact[3] = force, motion
    return p


def corner(name, contacts, seed):
    """A box that slides along the edge of a floor and a wall, on many points: redundant, and all on the boundary."""
    rng = random.Random(seed)
    p = Problem(name)
    body = p.body(F(1), (F(1), F(2), F(4)))
    speed = F(1, 2)
    for k in range(contacts):
        size = F(2) ** rng.randint(-2, 2)
        y, other = rng.randint(-8, 8), rng.randint(-1, 1)
        if k % 2:  # floor: tangents x, y
            p.contact(MU, 0, 1, [(body, (other, y, -1)), (None, None)], [F(0), -5 * size, 8 * size],
                      [F(0), 5 * speed, F(0)])
        else:  # wall: normal x, tangents y, z
            p.contact(MU, 1, 1, [(body, (-1, y, other)), (None, None)], [-5 * size, F(0), 8 * size],
                      [5 * speed, F(0), F(0)])
    return p


def convex(name, count, seed):
    """The law (78) of Anitescu and Tasora: eta lies in the dual cone, at right angles to lambda."""
    p = graph(name, count, 2 * count - 1, 1, seed)
    p.law = "anitescu-tasora"
    for contact in p.contacts:
        force, motion = contact[2], contact[3]
        if not any(force):  # inside of the dual cone: eta_n > mu |eta_t|
            contact[3] = [motion[0], motion[1], 8 * (abs(motion[0]) + abs(motion[1])) + 1]
        elif any(motion):
            size = abs(motion[0]) + abs(motion[1])
            a, b = -force[0], -force[1]  # 5 c in length
            length = F(5) * force[2] / 8
            contact[3] = [8 * a * size, 8 * b * size, 5 * length * size]
    return p


def clamped(name, count, seed):
    """The law (80) of Nakaoka and others: r = A^-1 b, its normal part cut at zero, its tangential at mu times that."""
    rng = random.Random(seed)
    p = graph(name, count, count, 1, seed, chain=True)
    p.law, p.unique = "nakaoka", True
    for contact in p.contacts:
        a, b = rng.choice(DIRECTIONS)
        size = F(2) ** rng.randint(-2, 2)
        kind = rng.randint(0, 2)
        if kind == 0:
            contact[3], contact[2] = [a * size, b * size, -size], [F(0)] * 3
        elif kind == 1:
            contact[3] = contact[2] = [a * size / 2, b * size / 2, 8 * size]
        else:
            contact[3], contact[2] = [2 * a * size, 2 * b * size, 8 * size], [a * size, b * size, 8 * size]
    return p


def main():
    problems = [separate_spheres(f"spheres_{d}", 30, d, d) for d in (0, 3, 10)]
    problems += [one_contact(f"one_{mode}_{k}", mode, 100 * k + len(mode))
                 for mode in ("detached", "stick", "slip") for k in range(4)]
    problems += [graph(f"graph_{n}_{d}", n, 2 * n - 1, d, n + d) for n in (2, 4, 8, 16) for d in (0, 3, 8)]
    problems += [tower(f"tower_{n}_{d}_{k}", n, d, 10 * n + d + k)
                 for n, d in ((1, 0), (2, 0), (4, 1), (8, 1), (5, -2), (12, 0)) for k in (0, 1)]
    problems += [corner(f"corner_{n}", n, n) for n in (2, 6, 20)]
    problems += [convex(f"convex_{n}", n, n) for n in (2, 5, 10)]
    problems += [clamped(f"clamped_{n}", n, n) for n in (2, 5, 10)]
    with open(__file__.rsplit("/", 1)[0] + "/constructed.txt", "w", encoding="ascii") as out:
        for problem in problems:
            problem.write(out)
    print(len(problems), "problems")


main()
