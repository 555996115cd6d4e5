// Where the bodies of a scene are at a time: between two frames they move straight and turn evenly. Forces are those of the frame before.
'use strict';

class Motion {
  constructor(scene) {
    this.scene = scene;
    this.dimension = scene.dimension;
    this.poses = scene.bodies.map(body => ({
      place: this.dimension === 2 ? [...body.place, 0] : body.place.slice(),
      angle: this.dimension === 2 ? body.turn : 0,
      turn: this.dimension === 2 ? [1, 0, 0, 0] : body.turn.slice(),
    }));
    let component = 0;
    this.first = scene.bodies.map(body => {
      const first = component;
      if (body.moves) component += this.dimension + (body.turns ? (this.dimension === 2 ? 1 : 4) : 0);
      return first;
    });
    // Where the points of each group start, frame by frame.
    for (const group of scene.groups) {
      group.start = new Uint32Array(scene.frames + 1);
      for (let frame = 0; frame < group.count.length; ++frame) group.start[frame + 1] = group.start[frame] + group.count[frame];
    }
    // The place of each body among those that move: its colour.
    let moving = 0;
    this.hues = scene.bodies.map(body => body.moves ? moving++ : -1);
    this.ways = new Map((scene.surfaces || []).map(surface => [surface.body, {way: surface.way, now: [0, 0, 0], along: Motion.direction(surface.way, scene.frames, scene.dimension)}]));
    this.frame = 0;
    this.size = this.measure();
    this.near = this.measureNear();
    this.strongest = this.measureForces();
    this.moveTo(scene.times[0]);
  }

  moveTo(time) {
    const {scene, dimension} = this, {times, poses, frames} = scene;
    const frame = Numbers.placeAt(times, time), next = Math.min(frame + 1, frames - 1);
    const span = times[next] - times[frame];
    const share = span > 0 ? Math.min(1, Math.max(0, (time - times[frame]) / span)) : 0;
    this.frame = frame;
    for (const {way, now} of this.ways.values()) {
      for (let k = 0; k < dimension; ++k) now[k] = way[k * frames + frame] + share * (way[k * frames + next] - way[k * frames + frame]);
    }
    scene.bodies.forEach((body, index) => {
      if (!body.moves) return;
      const pose = this.poses[index], first = this.first[index];
      const value = (component, at) => poses[(first + component) * frames + at];
      const between = component => value(component, frame) + share * (value(component, next) - value(component, frame));
      for (let k = 0; k < dimension; ++k) pose.place[k] = between(k);
      if (!body.turns) return;
      if (dimension === 2) {
        pose.angle = between(2);
        return;
      }
      // A quaternion and its opposite are one rotation: the nearer of both is gone to.
      let dot = 0;
      for (let k = 3; k < 7; ++k) dot += value(k, frame) * value(k, next);
      let norm = 0;
      for (let k = 0; k < 4; ++k) {
        pose.turn[k] = (1 - share) * value(3 + k, frame) + share * (dot < 0 ? -1 : 1) * value(3 + k, next);
        norm += pose.turn[k] ** 2;
      }
      norm = Math.sqrt(norm) || 1;
      for (let k = 0; k < 4; ++k) pose.turn[k] /= norm;
    });
  }

  colour(index) {
    return this.hues[index] < 0 ? Theme.colour('ground') : Theme.body(this.hues[index]);
  }

  // Which way a belt's surface goes: its direction where it goes farthest.
  static direction(way, frames, dimension) {
    let longest = 0, direction = [1, 0, 0];
    for (let frame = 0; frame < frames; ++frame) {
      const at = Array.from({length: 3}, (unused, k) => k < dimension ? way[k * frames + frame] - way[k * frames] : 0), length = Math.hypot(...at);
      if (length > longest) [longest, direction] = [length, at.map(part => part / length)];
    }
    return direction;
  }

  // How far a surface has gone, m.
  static gone({now, along}) {
    return now.reduce((sum, part, k) => sum + part * along[k], 0);
  }

  // v + 2 w (u x v) + 2 u x (u x v)
  static rotate([w, x, y, z], [a, b, c]) {
    const p = 2 * (y * c - z * b), q = 2 * (z * a - x * c), r = 2 * (x * b - y * a);
    return [a + w * p + y * r - z * q, b + w * q + z * p - x * r, c + w * r + x * q - y * p];
  }

  // A place on a body, in the world.
  place(body, local) {
    const point = [local[0], local[1], local[2] || 0];
    if (body < 0) return point;
    const pose = this.poses[body];
    if (this.dimension === 2) {
      const c = Math.cos(pose.angle), s = Math.sin(pose.angle);
      return [pose.place[0] + c * point[0] - s * point[1], pose.place[1] + s * point[0] + c * point[1], 0];
    }
    const turned = Motion.rotate(pose.turn, point);
    return [pose.place[0] + turned[0], pose.place[1] + turned[1], pose.place[2] + turned[2]];
  }

  // Arrows of the present frame: {place, force, kind}. Contact forces begin where they act.
  arrows() {
    const {scene, dimension, frame} = this, {frames} = scene, list = [];
    const vector = (values, at) => [values[at], values[frames + at], dimension === 3 ? values[2 * frames + at] : 0];
    for (const contact of scene.contacts) list.push({place: vector(contact.place, frame), force: vector(contact.force, frame), kind: 'force', name: contact.name});
    for (const group of scene.groups) {
      for (let k = group.start[frame]; k < group.start[frame + 1]; ++k) {
        const part = values => [values[k * dimension], values[k * dimension + 1], dimension === 3 ? values[k * dimension + 2] : 0];
        list.push({place: part(group.places), force: part(group.forces), kind: 'force', name: group.name});
      }
    }
    for (const input of scene.inputs) list.push({place: this.place(input.point.body, input.point.place), force: vector(input.force, frame), kind: 'input', name: input.name});
    return list.filter(arrow => arrow.force.every(Number.isFinite) && arrow.force.some(number => number !== 0));
  }

  // The parts of a body as balls: where they are in its frame, and how large.
  static parts(body) {
    const parts = body.points.map(point => [point, 0]);
    if (body.halfLength > 0) parts.push([[body.halfLength, 0, 0], 0], [[-body.halfLength, 0, 0], 0]);
    for (const shape of body.shapes) {
      if (shape.kind === 'plane') continue;
      const [a, b, c] = [shape.half[0], shape.half[1], shape.half[2] || 0];
      const corners = shape.kind === 'box' ? [[a, b, c], [a, b, -c], [a, -b, c], [a, -b, -c], [-a, b, c], [-a, b, -c], [-a, -b, c], [-a, -b, -c]]
        : shape.kind === 'capsule' ? [[a, 0, 0], [-a, 0, 0]] : [[0, 0, 0]];
      for (const corner of corners) {
        const turned = shape.place.length === 2 ? Motion.turn(shape.turn, corner) : Motion.rotate(shape.turn, corner);
        parts.push([turned.map((x, k) => x + (shape.place[k] || 0)), shape.radius]);
      }
    }
    // The origin of a body without a form is drawn.
    return body.shapes.length > 0 && parts.length > 0 ? parts : [...parts, [[0, 0, 0], 0]];
  }

  static turn(angle, [x, y]) {
    const c = Math.cos(angle), s = Math.sin(angle);
    return [c * x - s * y, s * x + c * y, 0];
  }

  // Calls `take` with place and size of each part of a body in a frame.
  eachPart(index, frame, take) {
    const {scene, dimension} = this, body = scene.bodies[index], value = k => scene.poses[(this.first[index] + k) * scene.frames + frame];
    this.balls = this.balls || scene.bodies.map(Motion.parts);
    for (const [local, size] of this.balls[index]) {
      let place = body.place, turn = body.turn;
      if (body.moves) {
        place = Array.from({length: dimension}, (unused, k) => value(k));
        if (body.turns) turn = dimension === 2 ? value(2) : [value(3), value(4), value(5), value(6)];
      }
      const part = [local[0], local[1], local[2] || 0];
      const turned = dimension === 2 ? Motion.turn(turn, part) : Motion.rotate(turn, part);
      take(turned.map((x, k) => x + (place[k] || 0)), size);
    }
  }

  // The box that holds everything that moves, over the whole run.
  measure() {
    const {scene, dimension} = this, low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    const take = (place, extent) => {
      for (let k = 0; k < 3; ++k) {
        const x = k < dimension ? place[k] : 0;
        if (!Number.isFinite(x)) continue;
        low[k] = Math.min(low[k], x - (k < dimension ? extent : 0));
        high[k] = Math.max(high[k], x + (k < dimension ? extent : 0));
      }
    };
    const stride = Math.max(1, Math.floor(scene.frames * scene.bodies.length / 4000));
    scene.bodies.forEach((body, index) => {
      if (!body.moves) {
        if (body.shapes.some(shape => shape.kind !== 'plane')) this.eachPart(index, 0, take);
        return;
      }
      for (let frame = 0; frame < scene.frames; frame += stride) this.eachPart(index, frame, take);
    });
    // Where joints and springs are fixed belongs to the scene.
    for (const link of scene.links) {
      for (const end of [link.a, link.b]) {
        const body = scene.bodies[end.body];
        if (end.body < 0) take(end.place, 0);
        else if (!body.moves && link.kind !== 'joint') take(end.place.map((x, k) => x + body.place[k]), 0);
      }
    }
    for (let k = 0; k < 3; ++k) {
      if (low[k] === Infinity) [low[k], high[k]] = k < dimension ? [-1, 1] : [0, 0];
    }
    let largest = 0;
    for (let k = 0; k < dimension; ++k) largest = Math.max(largest, high[k] - low[k]);
    if (!(largest > 0)) largest = 1;
    const middle = low.map((value, k) => k < dimension ? (value + high[k]) / 2 : 0);
    return {low, high, middle, largest};
  }

  // The middle of what moves, now.
  centre() {
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    this.scene.bodies.forEach((body, index) => {
      if (!body.moves) return;
      this.poses[index].place.forEach((x, k) => {
        low[k] = Math.min(low[k], x);
        high[k] = Math.max(high[k], x);
      });
    });
    return low.map((value, k) => value === Infinity ? this.size.middle[k] : (value + high[k]) / 2);
  }

  // How large what moves is at any one time, and whether it goes much farther than that: then a camera that sees the whole way shows little.
  measureNear() {
    const {scene, dimension} = this, stride = Math.max(1, Math.floor(scene.frames / 100));
    let span = 0;
    for (let frame = 0; frame < scene.frames; frame += stride) {
      const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
      scene.bodies.forEach((body, index) => {
        if (!body.moves) return;
        this.eachPart(index, frame, (place, size) => {
          for (let k = 0; k < dimension; ++k) {
            low[k] = Math.min(low[k], place[k] - size);
            high[k] = Math.max(high[k], place[k] + size);
          }
        });
      });
      for (let k = 0; k < dimension; ++k) if (high[k] - low[k] > span) span = high[k] - low[k];
    }
    if (!(span > 0)) span = this.size.largest / 4;
    const stays = scene.bodies.some(body => !body.moves && body.shapes.some(shape => shape.kind !== 'plane'));
    return {span, farther: !stays && this.size.largest > 4 * span};
  }

  // A force of the usual size: impacts, be they many, shall not make all others invisible.
  measureForces() {
    const sizes = [], {scene, dimension} = this;
    const stride = Math.max(1, Math.floor(scene.frames / 2000));
    for (const one of [...scene.contacts, ...scene.inputs]) {
      for (let frame = 0; frame < scene.frames; frame += stride) {
        let square = 0;
        for (let k = 0; k < dimension; ++k) square += one.force[k * scene.frames + frame] ** 2;
        if (square > 0 && Number.isFinite(square)) sizes.push(Math.sqrt(square));
      }
    }
    for (const group of scene.groups) {
      const points = group.forces.length / dimension, step = Math.max(1, Math.floor(points / 5000));
      for (let k = 0; k < points; k += step) {
        const size = Math.hypot(...group.forces.slice(k * dimension, (k + 1) * dimension));
        if (size > 0 && Number.isFinite(size)) sizes.push(size);
      }
    }
    sizes.sort((a, b) => a - b);
    const at = share => sizes[Math.floor(share * (sizes.length - 1))];
    return sizes.length > 0 ? Math.min(at(0.95), 3 * at(0.5)) : 1;
  }
}
