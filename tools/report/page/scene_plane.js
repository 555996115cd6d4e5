// The animation of a planar scene, on a canvas. Wheel zooms, dragging moves.
'use strict';

class PlaneView {
  constructor(scene, view) {
    this.scene = scene;
    this.motion = new Motion(scene);
    this.canvas = element('canvas', {role: 'img', tabindex: '0', 'aria-label': `Animation of ${scene.name || 'the scene'}`});
    view.append(this.canvas);
    this.forceScale = 1;
    this.showForces = true;
    this.showNames = scene.bodies.length <= 12;
    this.follows = this.motion.near.farther;
    this.fit();
    this.listen();
  }

  get kind() {
    return 'canvas';
  }

  fit() {
    this.middle = this.follows ? this.motion.centre() : this.motion.size.middle.slice();
    this.centre = this.motion.centre();
    this.zoom = 1;
  }

  listen() {
    this.canvas.addEventListener('wheel', event => {
      event.preventDefault();
      const before = this.toWorld(event);
      this.zoom = Math.min(1e4, Math.max(0.02, this.zoom * Math.exp(-event.deltaY * 0.0015)));
      const after = this.toWorld(event);
      this.middle[0] += before[0] - after[0];
      this.middle[1] += before[1] - after[1];
      this.draw();
    }, {passive: false});
    let held = null;
    this.canvas.addEventListener('pointerdown', event => {
      held = this.toWorld(event);
      this.canvas.setPointerCapture(event.pointerId);
    });
    this.canvas.addEventListener('pointermove', event => {
      if (!held) return;
      const now = this.toWorld(event);
      this.middle[0] += held[0] - now[0];
      this.middle[1] += held[1] - now[1];
      this.draw();
    });
    for (const end of ['pointerup', 'pointercancel']) this.canvas.addEventListener(end, () => { held = null; });
    this.canvas.addEventListener('dblclick', () => { this.fit(); this.draw(); });
  }

  // Pixels for a metre.
  scaleFor(width, height) {
    const {low, high, largest} = this.motion.size, room = 0.16 * largest;
    if (this.follows) return this.zoom * Math.min(width, height) / (1.6 * this.motion.near.span);
    return this.zoom * Math.min(width / (Math.max(high[0] - low[0], 0.25 * largest) + 2 * room), height / (Math.max(high[1] - low[1], 0.25 * largest) + 2 * room));
  }

  toWorld(event) {
    const box = this.canvas.getBoundingClientRect(), scale = this.scaleFor(box.width, box.height);
    return [this.middle[0] + (event.clientX - box.left - box.width / 2) / scale, this.middle[1] - (event.clientY - box.top - box.height / 2) / scale];
  }

  // What the view holds on paper and in arrows: the scene, or where it follows, what moves.
  get extent() {
    return this.follows ? this.motion.near.span : this.motion.size.largest;
  }

  moveTo(time) {
    this.motion.moveTo(time);
    const centre = this.motion.centre();
    if (this.follows) this.middle = this.middle.map((x, k) => x + centre[k] - this.centre[k]);
    this.centre = centre;
    this.draw();
  }

  draw() {
    const prepared = prepareCanvas(this.canvas);
    if (!prepared) return;
    const {context, width, height} = prepared, scale = this.scaleFor(width, height);
    this.context = context;
    this.scale = scale;
    this.toScreen = ([x, y]) => [width / 2 + (x - this.middle[0]) * scale, height / 2 - (y - this.middle[1]) * scale];
    context.lineJoin = context.lineCap = 'round';
    this.drawGrid(width, height);
    this.names = [];
    for (const ground of this.scene.grounds) this.drawHalfPlane([0, ground], [0, 1], width, height);
    // What stays lies behind what moves.
    for (const moves of [false, true]) this.scene.bodies.forEach((body, index) => { if (body.moves === moves) this.drawBody(body, index, width, height); });
    for (const link of this.scene.links) this.drawLink(link);
    if (this.showForces) this.drawForces();
    if (this.showNames) drawNames(context, this.names, width, height);
  }

  drawGrid(width, height) {
    const {context, scale} = this, wanted = 90 / scale, power = 10 ** Math.floor(Math.log10(wanted));
    const step = [1, 2, 5, 10].map(digit => digit * power).find(size => size >= wanted);
    const [left, top] = [this.middle[0] - width / 2 / scale, this.middle[1] + height / 2 / scale];
    context.strokeStyle = Theme.colour('grid');
    context.lineWidth = 1;
    context.beginPath();
    for (let x = Math.ceil(left / step) * step; x < left + width / scale; x += step) {
      const [at] = this.toScreen([x, 0]);
      context.moveTo(at, 0);
      context.lineTo(at, height);
    }
    for (let y = Math.floor(top / step) * step; y > top - height / scale; y -= step) {
      const [, at] = this.toScreen([0, y]);
      context.moveTo(0, at);
      context.lineTo(width, at);
    }
    context.stroke();
    context.strokeStyle = context.fillStyle = Theme.colour('soft');
    context.lineWidth = 1.5;
    const x = width - 16 - step * scale, y = height - 12;
    context.beginPath();
    context.moveTo(x, y - 4);
    context.lineTo(x, y);
    context.lineTo(x + step * scale, y);
    context.lineTo(x + step * scale, y - 4);
    context.stroke();
    context.font = '11.5px sans-serif';
    context.textAlign = 'center';
    context.fillText(`${Numbers.text(step, 3)} m`, x + step * scale / 2, y - 4);
  }

  // The ground or a plane: its line, and strokes on the side where nothing can be.
  drawHalfPlane(place, normal, width, height, gone = 0) {
    const {context} = this, [x, y] = this.toScreen(place), along = [normal[1], normal[0]], out = [normal[0], -normal[1]];
    const reach = width + height, shift = (width / 2 - x) * along[0] + (height / 2 - y) * along[1];
    const base = [x + shift * along[0], y + shift * along[1]];
    context.strokeStyle = Theme.colour('ground');
    context.lineWidth = 1;
    context.beginPath();
    // Strokes that go with the surface of a belt.
    const offset = (((shift - gone * this.scale) % 14) + 14) % 14;
    for (let s = -reach - offset; s < reach; s += 14) {
      const px = base[0] + s * along[0], py = base[1] + s * along[1];
      context.moveTo(px, py);
      context.lineTo(px - 9 * out[0] - 7 * along[0], py - 9 * out[1] - 7 * along[1]);
    }
    context.stroke();
    context.strokeStyle = Theme.colour('axis');
    context.lineWidth = 2;
    context.beginPath();
    context.moveTo(base[0] - reach * along[0], base[1] - reach * along[1]);
    context.lineTo(base[0] + reach * along[0], base[1] + reach * along[1]);
    context.stroke();
  }

  drawBody(body, index, width, height) {
    const {context, scale, motion} = this, pose = motion.poses[index], belt = motion.ways.get(index);
    if (belt) this.drawBelt(body, index, belt, width);
    context.fillStyle = motion.colour(index);
    context.strokeStyle = Theme.colour('body-edge');
    context.lineWidth = 1.6;
    for (const shape of body.shapes) {
      const angle = pose.angle + shape.turn, [x, y] = this.toScreen(motion.place(index, shape.place));
      if (shape.kind === 'plane') {
        // Along the line to the right, seen with the normal up.
        const gone = belt ? belt.now[0] * Math.sin(angle) - belt.now[1] * Math.cos(angle) : 0;
        this.drawHalfPlane(motion.place(index, shape.place), [Math.cos(angle), Math.sin(angle)], width, height, gone);
        context.fillStyle = motion.colour(index);
        context.strokeStyle = Theme.colour('body-edge');
        context.lineWidth = 1.6;
        continue;
      }
      context.save();
      context.translate(x, y);
      context.rotate(-angle);
      context.beginPath();
      const half = [shape.half[0] * scale, shape.half[1] * scale], radius = shape.radius * scale;
      if (shape.kind === 'box') context.rect(-half[0], -half[1], 2 * half[0], 2 * half[1]);
      if (shape.kind === 'sphere') context.arc(0, 0, radius, 0, 2 * Math.PI);
      if (shape.kind === 'capsule') {
        context.arc(half[0], 0, radius, -Math.PI / 2, Math.PI / 2);
        context.arc(-half[0], 0, radius, Math.PI / 2, 1.5 * Math.PI);
        context.closePath();
      }
      context.globalAlpha = 0.82;
      context.fill();
      context.globalAlpha = 1;
      context.stroke();
      if (belt) {  // marks that run around the outline, on its upper side as the surface does
        context.setLineDash([10, 12]);
        context.lineDashOffset = -Motion.gone(belt) * scale * (belt.along[0] * Math.cos(angle) + belt.along[1] * Math.sin(angle) < 0 ? -1 : 1);
        context.lineWidth = 4;
        context.stroke();
        context.setLineDash([]);
        context.lineWidth = 1.6;
      }
      if (shape.kind === 'sphere') {  // so that it is seen to turn
        context.beginPath();
        context.moveTo(0, 0);
        context.lineTo(radius, 0);
        context.stroke();
      }
      context.restore();
    }
    const place = motion.place(index, [0, 0]), [x, y] = this.toScreen(place);
    const hue = motion.colour(index);
    if (body.halfLength > 0) this.drawBar(motion.place(index, [-body.halfLength, 0]), motion.place(index, [body.halfLength, 0]), 7, hue);
    if (body.shapes.length === 0 && body.halfLength === 0) {
      // Nothing is known of its form: its origin, and lines to its points.
      for (const point of body.points) this.drawBar(place, motion.place(index, point), 4, hue);
      context.fillStyle = hue;
      if (!belt && (body.moves || body.points.length === 0)) {
        context.beginPath();
        context.rect(x - 7, y - 7, 14, 14);
        context.fill();
        context.stroke();
      }
    }
    context.fillStyle = Theme.colour('body-edge');
    for (const point of body.points) {
      const [px, py] = this.toScreen(motion.place(index, point));
      context.beginPath();
      context.arc(px, py, 3, 0, 2 * Math.PI);
      context.fill();
    }
    if (body.moves || belt || body.shapes.length === 0 || body.shapes.some(shape => shape.kind !== 'plane'))
      this.names.push({text: body.name, x, y: belt && body.shapes.length === 0 ? y + 42 : y});
  }

  // A belt whose form is not known: a band below what slides on it, with marks that go with it.
  drawBelt(body, index, belt, width) {
    if (body.shapes.length > 0) return;
    const {context} = this, [x, y] = this.toScreen(this.motion.place(index, [0, 0])), [ux, uy] = [belt.along[0], -belt.along[1]];
    const [nx, ny] = ux * 1 >= 0 ? [-uy, ux] : [uy, -ux], reach = 2 * width;
    const gone = Motion.gone(belt) * this.scale, spacing = 26;
    context.save();
    context.translate(x + 8 * nx, y + 8 * ny);
    context.strokeStyle = Theme.colour('body-edge');
    context.fillStyle = Theme.colour('ground');
    context.lineWidth = 1.4;
    context.beginPath();
    context.moveTo(-reach * ux, -reach * uy);
    context.lineTo(reach * ux, reach * uy);
    context.lineTo(reach * ux + 9 * nx, reach * uy + 9 * ny);
    context.lineTo(-reach * ux + 9 * nx, -reach * uy + 9 * ny);
    context.closePath();
    context.fill();
    context.stroke();
    context.lineWidth = 2;
    context.beginPath();
    for (let s = -reach + ((gone % spacing) + spacing) % spacing; s < reach; s += spacing) {
      context.moveTo((s - 4) * ux + 1.5 * nx, (s - 4) * uy + 1.5 * ny);
      context.lineTo(s * ux + 4.5 * nx, s * uy + 4.5 * ny);
      context.lineTo((s - 4) * ux + 7.5 * nx, (s - 4) * uy + 7.5 * ny);
    }
    context.stroke();
    context.restore();
  }

  drawBar(a, b, width, colour = Theme.colour('body')) {
    const {context} = this;
    for (const [colourOf, wide] of [[Theme.colour('body-edge'), width + 2.5], [colour, width]]) {
      context.strokeStyle = colourOf;
      context.lineWidth = wide;
      context.beginPath();
      context.moveTo(...this.toScreen(a));
      context.lineTo(...this.toScreen(b));
      context.stroke();
    }
    context.lineWidth = 1.6;
    context.strokeStyle = Theme.colour('body-edge');
  }

  drawLink(link) {
    const {context, motion} = this, a = this.toScreen(motion.place(link.a.body, link.a.place));
    context.strokeStyle = Theme.colour('ink');
    context.lineWidth = 1.6;
    if (link.kind === 'joint') {
      context.fillStyle = Theme.colour('card');
      context.beginPath();
      context.arc(...a, 4.5, 0, 2 * Math.PI);
      context.fill();
      context.stroke();
      return;
    }
    const b = this.toScreen(motion.place(link.b.body, link.b.place));
    context.beginPath();
    context.moveTo(...a);
    if (link.kind === 'spring') {
      const turns = 12, dx = b[0] - a[0], dy = b[1] - a[1], length = Math.hypot(dx, dy) || 1;
      for (let k = 1; k < turns; ++k) {
        const side = k === 1 || k === turns - 1 ? 0 : k % 2 === 0 ? 6 : -6, share = k / turns;
        context.lineTo(a[0] + dx * share - dy / length * side, a[1] + dy * share + dx / length * side);
      }
    }
    context.lineTo(...b);
    context.stroke();
  }

  // An arrow as long as a fifth of the scene is a large force of the usual ones, however near one looks.
  drawForces() {
    const {context, scale} = this, perNewton = 0.22 * this.extent * scale / this.zoom * this.forceScale / this.motion.strongest;
    for (const {place, force, kind} of this.motion.arrows()) {
      const from = this.toScreen(place), length = Math.hypot(force[0], force[1]) * perNewton;
      if (!(length > 0.5)) continue;
      const ux = force[0] / Math.hypot(force[0], force[1]), uy = -force[1] / Math.hypot(force[0], force[1]);
      const tip = [from[0] + ux * length, from[1] + uy * length], head = Math.min(10, length * 0.6);
      context.strokeStyle = context.fillStyle = Theme.colour(kind);
      context.lineWidth = 2.6;
      context.beginPath();
      context.moveTo(...from);
      context.lineTo(tip[0] - ux * head * 0.8, tip[1] - uy * head * 0.8);
      context.stroke();
      context.beginPath();
      context.moveTo(...tip);
      context.lineTo(tip[0] - ux * head - uy * head * 0.45, tip[1] - uy * head + ux * head * 0.45);
      context.lineTo(tip[0] - ux * head + uy * head * 0.45, tip[1] - uy * head - ux * head * 0.45);
      context.closePath();
      context.fill();
    }
  }
}
