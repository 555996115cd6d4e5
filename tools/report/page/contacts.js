// What contacts do: a timeline of their modes, and their forces in their friction cones.
'use strict';

class Timeline {
  constructor(report, clock) {
    this.report = report;
    this.clock = clock;
    this.root = document.getElementById('timeline');
    this.tip = element('div', {class: 'tip', hidden: true});
    this.rows = report.timelines.map(timeline => this.makeRow(timeline));
    this.axis = element('canvas', {role: 'img', 'aria-label': 'time in s'});
    this.root.append(element('div', {class: 'row axis'}, element('span'), this.axis, element('span')), this.tip);
    const legend = document.getElementById('mode-legend');
    const shown = new Map();
    for (const {timeline} of this.rows) for (const [, name] of report.columns[timeline.column].items) shown.set(name, true);
    for (const name of shown.keys()) legend.append(element('span', {}, element('span', {class: 'swatch', style: `background:var(--${Timeline.known(name)})`}), name));
    if (report.timelines.some(timeline => timeline.thinned))
      document.getElementById('timeline-note').textContent = 'There are more changes of mode than this page can keep: shown is what each contact does most of the time in short spans.';
    clock.on('window', () => this.draw());
    clock.on('time', () => this.draw());
    clock.on('hover', () => this.draw());
    Theme.listeners.push(() => this.draw());
    addEventListener('resize', () => this.draw());
  }

  static known(name) {
    return ['detached', 'stick', 'slip'].includes(name) ? name : 'axis';
  }

  nameOf(timeline, mode) {
    const item = this.report.columns[timeline.column].items.find(([value]) => value === mode);
    return item ? item[1] : String(mode);
  }

  modeAt(timeline, time) {
    return this.nameOf(timeline, timeline.modes[Numbers.placeAt(timeline.times, time)]);
  }

  makeRow(timeline) {
    const canvas = element('canvas', {role: 'img', 'aria-label': `Modes of ${timeline.name} over time`});
    const now = element('span', {class: 'soft'});
    this.root.append(element('div', {class: 'row'}, element('span', {title: timeline.name}, timeline.name), canvas, now));
    const timeOf = event => {
      const box = canvas.getBoundingClientRect();
      return this.clock.from + (this.clock.to - this.clock.from) * Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    };
    canvas.addEventListener('mousemove', event => {
      const time = timeOf(event), root = this.root.getBoundingClientRect();
      this.tip.hidden = false;
      this.tip.textContent = `${timeline.name}: ${this.modeAt(timeline, time)} at ${Numbers.text(time)} s`;
      this.tip.style.left = `${Math.min(event.clientX - root.left + 12, root.width - this.tip.offsetWidth - 6)}px`;
      this.tip.style.top = `${canvas.getBoundingClientRect().top - root.top - 26}px`;
      this.clock.setHover(time);
    });
    canvas.addEventListener('mouseleave', () => {
      this.tip.hidden = true;
      this.clock.setHover(null);
    });
    canvas.addEventListener('click', event => {
      this.clock.setPlaying(false);
      this.clock.setTime(timeOf(event));
    });
    return {timeline, canvas, now};
  }

  draw() {
    for (const {timeline, canvas, now} of this.rows) {
      now.textContent = this.modeAt(timeline, this.clock.shown);
      const prepared = prepareCanvas(canvas);
      if (prepared) this.drawRow(timeline, prepared);
    }
    const prepared = prepareCanvas(this.axis);
    if (prepared) this.drawAxis(prepared);
  }

  drawAxis({context, width}) {
    const {from, to} = this.clock, wanted = (to - from) * 80 / width, power = 10 ** Math.floor(Math.log10(wanted));
    const step = [1, 2, 5, 10].map(digit => digit * power).find(size => size >= wanted);
    context.font = '11.5px sans-serif';
    context.fillStyle = context.strokeStyle = Theme.colour('soft');
    context.lineWidth = 1;
    for (let k = Math.ceil(from / step - 1e-9); k * step <= to + 1e-9 * step; ++k) {
      const x = (k * step - from) / (to - from) * width;
      context.beginPath();
      context.moveTo(x, 0);
      context.lineTo(x, 4);
      context.stroke();
      context.textAlign = x < 16 ? 'left' : x > width - 16 ? 'right' : 'center';
      context.fillText(Numbers.text(k * step, Numbers.digitsFor([from, to])), Math.min(width, Math.max(0, x)), 15);
    }
    context.textAlign = 'center';
    context.fillText('time [s]', width / 2, 29);
  }

  // Where a pixel holds several modes each gets its share of the height, so that chatter is seen as such.
  drawRow(timeline, {context, width, height}) {
    const {from, to} = this.clock, perPixel = (to - from) / width;
    const {times, modes} = timeline, colours = new Map();
    const colourOf = mode => {
      if (!colours.has(mode)) colours.set(mode, Theme.colour(Timeline.known(this.nameOf(timeline, mode))));
      return colours.get(mode);
    };
    const end = place => place + 1 < times.length ? times[place + 1] : this.clock.end;
    let place = Numbers.placeAt(times, from);
    for (let x = 0; x < width;) {
      const left = from + x * perPixel, right = left + perPixel;
      while (place + 1 < times.length && times[place + 1] <= left) ++place;
      if (end(place) >= right || place + 1 >= times.length) {
        const whole = place + 1 >= times.length ? width - x : Math.max(1, Math.floor((end(place) - left) / perPixel));
        context.fillStyle = colourOf(modes[place]);
        context.fillRect(x, 0, Math.min(whole, width - x) + 0.5, height);
        x += whole;
        continue;
      }
      const shares = new Map();
      for (let k = place; k < times.length && times[k] < right; ++k)
        shares.set(modes[k], (shares.get(modes[k]) || 0) + Math.min(end(k), right) - Math.max(times[k], left));
      let top = 0;
      for (const [mode, share] of [...shares].sort((a, b) => a[0] - b[0])) {
        context.fillStyle = colourOf(mode);
        context.fillRect(x, top, 1.5, height * share / perPixel + 0.5);
        top += height * share / perPixel;
      }
      ++x;
    }
    const line = (time, colour, dash) => {
      if (time === null || time < from || time > to) return;
      const x = (time - from) / (to - from) * width;
      context.strokeStyle = colour;
      context.lineWidth = 1.5;
      context.setLineDash(dash);
      context.beginPath();
      context.moveTo(x, 0);
      context.lineTo(x, height);
      context.stroke();
      context.setLineDash([]);
    };
    line(this.clock.hover, Theme.colour('ink'), [2, 2]);
    line(this.clock.time, Theme.colour('cursor'), []);
  }
}

// The force of one contact. In the plane: tangential over normal, with the edges |lambda_t| = mu lambda_n. In space: the tangential force over
// mu lambda_n, with the unit circle as the edge.
class Cone {
  constructor(scene, contact, clock) {
    this.scene = scene;
    this.contact = contact;
    this.clock = clock;
    this.canvas = element('canvas', {role: 'img'});
    this.text = element('p');
    const name = (scene.name ? scene.name + '.' : '') + contact.name;
    this.canvas.setAttribute('aria-label', contact.axes > 0 ? `Friction ${name} within its bound` : `Force of ${name} in its friction cone`);
    this.root = element('div', {class: 'tile'}, element('h3', {}, name), this.canvas, this.text);
    const frames = scene.frames, components = scene.dimension;
    this.at = frame => Array.from({length: components}, (unused, k) => contact.lambda[k * frames + frame]);
    this.largestNormal = 0;
    for (let frame = 0; frame < frames; ++frame) {
      const normal = contact.lambda[(components - 1) * frames + frame];
      if (Number.isFinite(normal)) this.largestNormal = Math.max(this.largestNormal, normal);
    }
    this.visible = true;
  }

  draw() {
    const frame = Numbers.placeAt(this.scene.times, this.clock.shown), lambda = this.at(frame), mu = this.contact.mu[frame];
    if (this.contact.axes > 0) {
      const size = Math.hypot(...lambda), share = mu > 0 ? `, ${Math.round(100 * size / mu)} %` : '';
      this.text.textContent = `friction ${Numbers.text(size, 4)} N of at most ${Numbers.text(mu, 4)} N${share}`;
      const prepared = prepareCanvas(this.canvas);
      if (prepared) this.drawDisc(prepared, frame);
      return;
    }
    const normal = lambda[lambda.length - 1], tangential = Math.hypot(...lambda.slice(0, -1));
    const used = normal > 0 && mu > 0 ? `, ${Math.round(100 * tangential / (mu * normal))} % of μλₙ` : '';
    this.text.textContent = `λₙ ${Numbers.text(normal, 4)} N, |λₜ| ${Numbers.text(tangential, 4)} N, μ ${Numbers.text(mu, 4)}${used}${this.contact.several ? '; sum over several points' : ''}`;
    const prepared = prepareCanvas(this.canvas);
    if (!prepared) return;
    if (this.scene.dimension === 2) this.drawPlane(prepared, frame);
    else this.drawDisc(prepared, frame);
  }

  get trailFrames() {
    return Math.max(5, Math.round(this.scene.frames / 10));
  }

  // An impact somewhere in the run shall not make the cone too large to see the force of now: its size is that of the forces around it in time.
  largestNear(frame) {
    const near = {normal: 0, tangential: 0, lowest: 0};
    const from = Math.max(0, frame - this.trailFrames), to = Math.min(this.scene.frames - 1, frame + this.trailFrames);
    for (let k = from; k <= to; ++k) {
      const lambda = this.at(k), normal = lambda[lambda.length - 1];
      if (!Number.isFinite(normal)) continue;
      near.normal = Math.max(near.normal, normal);
      near.lowest = Math.min(near.lowest, normal);
      near.tangential = Math.max(near.tangential, Math.hypot(...lambda.slice(0, -1)));
    }
    return near;
  }

  drawPoints(context, frame, mu, placeOf) {
    const all = this.scene.frames, stride = Math.max(1, Math.floor(all / 1500));
    context.fillStyle = Theme.colour('soft');
    context.globalAlpha = 0.28;
    for (let k = 0; k < all; k += stride) {
      const [x, y] = placeOf(this.at(k), this.contact.mu[k]);
      if (Number.isFinite(x) && Number.isFinite(y)) context.fillRect(x - 1, y - 1, 2, 2);
    }
    context.globalAlpha = 1;
    context.strokeStyle = Theme.colour('force');
    context.lineWidth = 1.4;
    context.beginPath();
    const start = Math.max(0, frame - this.trailFrames), step = Math.max(1, Math.floor(this.trailFrames / 800));
    for (let k = start; k <= frame; k += step) context.lineTo(...placeOf(this.at(k), this.contact.mu[k]));
    context.stroke();
    const [x, y] = placeOf(this.at(frame), mu);
    context.beginPath();
    context.arc(x, y, 5, 0, 2 * Math.PI);
    context.lineWidth = 2.4;
    context.stroke();
  }

  drawPlane({context, width, height}, frame) {
    const mu = this.contact.mu[frame], near = this.largestNear(frame), top = near.normal || 1, bottom = near.lowest;
    const side = Math.max(near.tangential, 1e-9 * top, Math.min(mu, 2) * top) * 1.08 || 1;
    const left = 12, right = width - 12, high = 20, low = height - 20;
    const scale = Math.min((right - left) / (2 * side), (low - high) / (top - bottom));
    const middle = width / 2, zero = low + bottom * scale;
    const placeOf = lambda => [middle + lambda[0] * scale, zero - lambda[1] * scale];
    const reach = Math.min(top * 1.05, (zero - high) / scale * 1.02);
    const cone = sign => {
      context.beginPath();
      context.moveTo(middle - mu * reach * scale * sign, zero - reach * scale * sign);
      context.lineTo(middle, zero);
      context.lineTo(middle + mu * reach * scale * sign, zero - reach * scale * sign);
      context.fillStyle = Theme.colour('inside');
      context.fill();
      context.strokeStyle = Theme.colour('stick');
      context.lineWidth = 1.5;
      context.stroke();
    };
    context.save();
    context.beginPath();
    context.rect(0, high - 8, width, height);
    context.clip();
    cone(1);
    if (this.contact.bilateral) cone(-1);
    context.strokeStyle = Theme.colour('axis');
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(left, zero);
    context.lineTo(right, zero);
    context.moveTo(middle, low);
    context.lineTo(middle, high);
    context.stroke();
    this.drawPoints(context, frame, mu, placeOf);
    context.restore();
    context.fillStyle = Theme.colour('soft');
    context.font = '11.5px sans-serif';
    context.textAlign = 'right';
    context.fillText('λₜ', right, zero + 13);
    context.textAlign = 'center';
    context.fillText(`λₙ, here up to ${Numbers.text(top, 3)} N`, middle, 9);
  }

  drawDisc({context, width, height}, frame) {
    const mu = this.contact.mu[frame], radius = Math.min(width, height) / 2 - 20, cx = width / 2, cy = height / 2;
    context.beginPath();
    if (this.contact.axes === 1) context.rect(cx - radius, cy - 14, 2 * radius, 28);
    else context.arc(cx, cy, radius, 0, 2 * Math.PI);
    context.fillStyle = Theme.colour('inside');
    context.fill();
    context.strokeStyle = Theme.colour('stick');
    context.lineWidth = 1.5;
    context.stroke();
    context.strokeStyle = Theme.colour('axis');
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(cx - radius, cy);
    context.lineTo(cx + radius, cy);
    const half = this.contact.axes === 1 ? 14 : radius;
    context.moveTo(cx, cy - half);
    context.lineTo(cx, cy + half);
    context.stroke();
    // Friction of known bound: over the bound, along one axis or two.
    const bounded = this.contact.axes > 0;
    const placeOf = ([t1, t2, n], friction) => {
      const bound = bounded ? friction : friction * n;
      if (bounded && this.contact.axes === 1) return bound > 0 ? [cx + radius * t1 / bound, cy] : [cx, cy];
      return (bounded || n > 0) && bound > 0 ? [cx + radius * t1 / bound, cy - radius * t2 / bound] : [cx, cy];
    };
    this.drawPoints(context, frame, mu, placeOf);
    if (bounded) return;
    context.fillStyle = Theme.colour('soft');
    context.font = '11.5px sans-serif';
    context.textAlign = 'right';
    context.fillText('λₜ₁/(μλₙ)', cx + radius - 5, cy + 14);
    context.textAlign = 'left';
    context.fillText('λₜ₂/(μλₙ)', cx + 6, cy - radius - 5);
    // How large the normal force is, as a bar beside the disc.
    const share = this.largestNormal > 0 ? Math.max(0, this.at(frame)[2]) / this.largestNormal : 0;
    const x = width - 14, top = cy - radius;
    context.fillStyle = Theme.colour('grid');
    context.fillRect(x, top, 6, 2 * radius);
    context.fillStyle = Theme.colour('force');
    context.fillRect(x, top + 2 * radius * (1 - share), 6, 2 * radius * share);
    context.fillStyle = Theme.colour('soft');
    context.textAlign = 'right';
    context.fillText('λₙ', width - 2, top - 5);
  }
}

class Cones {
  constructor(report, clock) {
    this.list = [];
    const place = document.getElementById('cone-list');
    for (const scene of report.scenes) {
      for (const contact of scene.contacts) {
        if (!contact.cone) continue;
        const cone = new Cone(scene, contact, clock);
        this.list.push(cone);
        place.append(cone.root);
      }
    }
    // Cones that are scrolled away wait.
    const seen = new IntersectionObserver(entries => {
      for (const entry of entries) {
        const cone = this.list.find(one => one.root === entry.target);
        cone.visible = entry.isIntersecting;
        if (cone.visible) cone.draw();
      }
    });
    for (const cone of this.list) seen.observe(cone.root);
    const draw = () => this.list.forEach(cone => { if (cone.visible) cone.draw(); });
    clock.on('time', draw);
    clock.on('hover', draw);
    Theme.listeners.push(() => this.list.forEach(cone => cone.draw()));
    addEventListener('resize', draw);
  }
}
