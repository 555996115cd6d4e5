// The time of the page, which plots, timeline, cones and animations share: the present time, whether it runs and how fast, the window of time that
// is looked at, and where the pointer hovers. Whoever shows any of it listens.
'use strict';

class Clock {
  constructor(start, end) {
    this.start = start;
    this.end = end;
    this.time = start;
    this.from = start;
    this.to = end;
    this.hover = null;
    this.playing = false;
    this.repeats = true;
    // A run of a second or a minute shall take some seconds to see.
    this.speed = end > start ? Clock.nearestSpeed((end - start) / 8) : 1;
    this.listeners = {time: [], window: [], hover: [], play: []};
  }

  static nearestSpeed(wanted) {
    return Clock.speeds.reduce((best, speed) => Math.abs(Math.log(speed / wanted)) < Math.abs(Math.log(best / wanted)) ? speed : best);
  }

  on(what, listener) {
    this.listeners[what].push(listener);
  }

  tell(what) {
    for (const listener of this.listeners[what]) listener(this);
  }

  setTime(time) {
    this.time = Math.min(this.end, Math.max(this.start, time));
    this.tell('time');
  }

  setWindow(from, to) {
    from = Math.max(this.start, from);
    to = Math.min(this.end, to);
    if (!(to > from) || (from === this.from && to === this.to)) return;
    this.from = from;
    this.to = to;
    this.tell('window');
  }

  setHover(time) {
    if (time === this.hover) return;
    this.hover = time;
    this.tell('hover');
  }

  setPlaying(playing) {
    if (playing === this.playing) return;
    this.playing = playing;
    if (playing && this.time >= this.end) this.setTime(this.start);
    this.tell('play');
    if (!playing) return;
    let last = null;
    const step = now => {
      if (!this.playing) return;
      if (last !== null) {
        let next = this.time + (now - last) / 1000 * this.speed;
        if (next >= this.end) {
          if (this.repeats) {
            next = this.start;
          } else {
            this.setTime(this.end);
            this.setPlaying(false);
            return;
          }
        }
        this.setTime(next);
      }
      last = now;
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  // Time that is shown in numbers: where the pointer is, else the present one.
  get shown() {
    return this.hover === null ? this.time : this.hover;
  }
}

Clock.speeds = [];
for (let power = -6; power <= 4; ++power) {
  for (const digit of [1, 2, 5]) Clock.speeds.push(Number(`${digit}e${power}`));
}

// Elements, made by name: all texts go in as text and never as markup.
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, '');
    else if (value !== false && value !== null) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

// The colours of the style sheet, for canvases; read again when light turns to dark or the page is printed.
const Theme = {
  listeners: [],
  printing: false,
  colour(name) {
    if (Theme.printing && Theme.light[name]) return Theme.light[name];
    return getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
  },
  // Bodies that move, one after another; none of them is the colour of a force.
  bodies: ['#7ba3d4', '#b592c8', '#74b8a0', '#d6b96a', '#94a7b8', '#cf9a94', '#84bccb', '#a9ad78'],
  body(place) {
    return Theme.bodies[place % Theme.bodies.length];
  },
  series: ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9'],
  // On paper whatever the screen is.
  light: {paper: '#fff', card: '#fff', ink: '#1b2530', soft: '#55626f', grid: '#8090a033', axis: '#9aa5b1', body: '#8fa3b5', 'body-edge': '#4a5b6b', ground: '#b9c2cb', detached: '#d5dbe1', stick: '#0072b2', slip: '#e69f00', force: '#d55e00', input: '#009e73', inside: '#0072b222', line: '#dde2e7', cursor: '#d55e00'},
  tell() {
    for (const listener of Theme.listeners) listener();
  },
};
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => Theme.tell());
addEventListener('beforeprint', () => { Theme.printing = true; Theme.tell(); });
addEventListener('afterprint', () => { Theme.printing = false; Theme.tell(); });

// A canvas as sharp as the screen, and its context in CSS pixels. Nothing where it has no size.
function prepareCanvas(canvas) {
  const width = canvas.clientWidth, height = canvas.clientHeight, ratio = Math.min(3, devicePixelRatio || 1);
  if (width === 0 || height === 0) return null;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  const context = canvas.getContext('2d');
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return {context, width, height};
}

// Names beside what they name, at {text, x, y} in pixels. One that would cover another goes below, or further up.
function drawNames(context, names, width, height) {
  context.font = '12px sans-serif';
  context.textAlign = 'center';
  context.lineJoin = 'round';
  context.lineWidth = 3;
  context.strokeStyle = Theme.colour('card');
  context.fillStyle = Theme.colour('ink');
  const taken = [];
  for (const {text, x, y} of names) {
    const half = context.measureText(text).width / 2 + 2;
    if (x < -half || x > width + half || y < -20 || y > height + 20) continue;
    const middle = Math.min(Math.max(x, half), width - half);
    const free = down => taken.every(other => Math.abs(other.x - middle) > other.half + half || Math.abs(other.y - (y + down)) > 14);
    const down = [-10, 20, -26, 36, -42, 52].find(free);
    const at = {x: middle, y: y + (down === undefined ? -10 : down), half};
    taken.push(at);
    context.strokeText(text, at.x, at.y);
    context.fillText(text, at.x, at.y);
  }
}
