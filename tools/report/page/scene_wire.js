// The animation of a spatial scene without WebGL: edges and outlines, turned by dragging, zoomed by the wheel. z is up.
'use strict';

class WireView {
  constructor(scene, view) {
    this.scene = scene;
    this.motion = new Motion(scene);
    this.canvas = element('canvas', {role: 'img', tabindex: '0', 'aria-label': `Animation of ${scene.name || 'the scene'}, as wire frames`});
    view.append(this.canvas);
    this.forceScale = 1;
    this.showForces = true;
    this.showNames = scene.bodies.length <= 12;
    this.follows = this.motion.near.farther;
    this.fit();
    this.canvas.addEventListener('wheel', event => {
      event.preventDefault();
      this.zoom *= Math.exp(-event.deltaY * 0.0015);
      this.draw();
    }, {passive: false});
    this.canvas.addEventListener('pointermove', event => {
      if (event.buttons === 0) return;
      this.azimuth -= event.movementX * 0.008;
      this.elevation = Math.min(1.5, Math.max(this.scene.grounds.length > 0 ? 0.03 : -1.5, this.elevation + event.movementY * 0.008));
      this.draw();
    });
    this.canvas.addEventListener('dblclick', () => { this.fit(); this.draw(); });
  }

  get kind() {
    return 'canvas without WebGL';
  }

  fit() {
    this.azimuth = -1.05;
    this.elevation = 0.42;
    this.zoom = 1;
  }

  moveTo(time) {
    this.motion.moveTo(time);
    this.draw();
  }

  draw() {
    const prepared = prepareCanvas(this.canvas);
    if (!prepared) return;
    const {context, width, height} = prepared, {low, high, largest} = this.motion.size;
    const middle = this.follows ? this.motion.centre() : this.motion.size.middle;
    const radius = this.follows ? this.motion.near.span : 0.5 * Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]) || 1;
    const scale = this.zoom * Math.min(width, height) / (2.3 * radius);
    const ca = Math.cos(this.azimuth), sa = Math.sin(this.azimuth), ce = Math.cos(this.elevation), se = Math.sin(this.elevation);
    this.scale = scale;
    this.toScreen = ([x, y, z]) => {
      const dx = x - middle[0], dy = y - middle[1], dz = z - middle[2];
      return [width / 2 + scale * (-sa * dx + ca * dy), height / 2 - scale * (ce * dz - se * (ca * dx + sa * dy))];
    };
    const line = (...points) => {
      context.beginPath();
      points.forEach(point => context.lineTo(...this.toScreen(point)));
      context.stroke();
    };
    context.lineJoin = context.lineCap = 'round';
    context.strokeStyle = Theme.colour('grid');
    context.lineWidth = 1;
    for (const ground of this.scene.grounds) {
      for (let k = -6; k <= 6; ++k) {
        const s = k / 6 * largest;
        line([middle[0] + s, middle[1] - largest, ground], [middle[0] + s, middle[1] + largest, ground]);
        line([middle[0] - largest, middle[1] + s, ground], [middle[0] + largest, middle[1] + s, ground]);
      }
    }
    const names = [];
    this.scene.bodies.forEach((body, index) => {
      if (body.moves || body.shapes.some(shape => shape.kind !== 'plane')) {
        const [x, y] = this.toScreen(this.motion.place(index, [0, 0, 0]));
        names.push({text: body.name, x, y});
      }
      context.strokeStyle = body.moves ? this.motion.colour(index) : Theme.colour('body-edge');
      context.lineWidth = 1.8;
      for (const shape of body.shapes) this.drawShape(context, line, index, shape);
      if (body.halfLength > 0) line(this.motion.place(index, [-body.halfLength, 0, 0]), this.motion.place(index, [body.halfLength, 0, 0]));
      if (body.shapes.length === 0) for (const point of body.points) line(this.motion.place(index, [0, 0, 0]), this.motion.place(index, point));
    });
    context.strokeStyle = Theme.colour('ink');
    for (const link of this.scene.links) {
      if (link.kind !== 'joint') line(this.motion.place(link.a.body, link.a.place), this.motion.place(link.b.body, link.b.place));
    }
    const perNewton = 0.22 * largest * this.forceScale / this.motion.strongest;
    context.lineWidth = 2.2;
    for (const {place, force, kind} of this.showForces ? this.motion.arrows() : []) {
      context.strokeStyle = context.fillStyle = Theme.colour(kind);
      const tip = place.map((value, k) => value + force[k] * perNewton);
      line(place, tip);
      context.beginPath();
      context.arc(...this.toScreen(tip), 3.2, 0, 2 * Math.PI);
      context.fill();
    }
    if (this.showNames) drawNames(context, names, width, height);
  }

  drawShape(context, line, index, shape) {
    const at = local => this.motion.place(index, Motion.rotate(shape.turn, local).map((value, k) => value + shape.place[k]));
    const [a, b, c] = shape.half;
    if (shape.kind === 'box') {
      for (const [u, v] of [[-1, -1], [-1, 1], [1, -1], [1, 1]]) {
        line(at([-a, u * b, v * c]), at([a, u * b, v * c]));
        line(at([u * a, -b, v * c]), at([u * a, b, v * c]));
        line(at([u * a, v * b, -c]), at([u * a, v * b, c]));
      }
      return;
    }
    if (shape.kind === 'plane') {
      const s = 0.5 * this.motion.size.largest;
      context.strokeStyle = Theme.colour('ground');
      line(at([0, -s, -s]), at([0, s, -s]), at([0, s, s]), at([0, -s, s]), at([0, -s, -s]));
      context.strokeStyle = Theme.colour('body-edge');
      return;
    }
    const half = shape.kind === 'capsule' ? a : 0, r = shape.radius;
    for (const side of half > 0 ? [-half, half] : [0]) {
      for (const [u, v] of [[0, 1], [1, 2], [0, 2]]) {
        const ring = [];
        for (let k = 0; k <= 24; ++k) {
          const local = [side, 0, 0];
          local[u] += r * Math.cos(k * Math.PI / 12);
          local[v] += r * Math.sin(k * Math.PI / 12);
          ring.push(at(local));
        }
        line(...ring);
      }
    }
    if (half > 0) for (const [y, z] of [[r, 0], [-r, 0], [0, r], [0, -r]]) line(at([-half, y, z]), at([half, y, z]));
  }
}
