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
    this.frame = 0;
    this.size = this.measure();
    this.strongest = this.measureForces();
    this.moveTo(scene.times[0]);
  }

  moveTo(time) {
    const {scene, dimension} = this, {times, poses, frames} = scene;
    const frame = Numbers.placeAt(times, time), next = Math.min(frame + 1, frames - 1);
    const span = times[next] - times[frame];
    const share = span > 0 ? Math.min(1, Math.max(0, (time - times[frame]) / span)) : 0;
    this.frame = frame;
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

  // How far a body's parts reach from its origin.
  static extent(body) {
    let extent = body.halfLength;
    for (const point of body.points) extent = Math.max(extent, Math.hypot(...point));
    for (const shape of body.shapes) {
      if (shape.kind === 'plane') continue;
      extent = Math.max(extent, Math.hypot(...shape.place) + Math.hypot(...shape.half) + shape.radius);
    }
    return extent;
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
    const stride = Math.max(1, Math.floor(scene.frames / 400));
    scene.bodies.forEach((body, index) => {
      const extent = Motion.extent(body);
      if (!body.moves) {
        if (body.shapes.some(shape => shape.kind !== 'plane')) take(body.place, extent);
        return;
      }
      for (let frame = 0; frame < scene.frames; frame += stride) {
        const place = [];
        for (let k = 0; k < dimension; ++k) place.push(scene.poses[(this.first[index] + k) * scene.frames + frame]);
        take(place, extent);
      }
    });
    for (let k = 0; k < 3; ++k) {
      if (low[k] === Infinity) [low[k], high[k]] = k < dimension ? [-1, 1] : [0, 0];
    }
    let largest = 0;
    for (let k = 0; k < dimension; ++k) largest = Math.max(largest, high[k] - low[k]);
    if (!(largest > 0)) largest = 1;
    const middle = low.map((value, k) => k < dimension ? (value + high[k]) / 2 : 0);
    return {low, high, middle, largest};
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
