// The page: unpacks the data, fills the sections, and joins them by the clock.
'use strict';

const DelassusReport = {
  async start() {
    const report = JSON.parse(document.getElementById('report-data').textContent);
    this.report = report;
    this.writeHead(report);
    await this.unpack(report);
    document.getElementById('wait').hidden = true;
    const clock = this.clock = new Clock(report.time[0], report.time[report.time.length - 1]);
    this.makeTransport(report, clock);
    this.makeStages(report, clock);
    if (report.timelines.length > 0) {
      this.section('contacts');
      this.timeline = new Timeline(report, clock);
    }
    if (report.scenes.some(scene => scene.contacts.some(contact => contact.cone))) {
      this.section('cones');
      this.cones = new Cones(report, clock);
    }
    this.plots = new Plots(report, clock);
    this.makeEnergy(report, clock);
    this.section('plots');
    this.plots.start();
    this.writeDataNote(report);
    this.writeConnections(report);
    this.writeParameters(report);
    this.listen(clock);
    clock.setTime(clock.start);
    document.documentElement.dataset.state = 'ready';
  },

  section(name) {
    document.getElementById(name).hidden = false;
  },

  writeHead(report) {
    document.getElementById('title').textContent = report.title || 'Results';
    document.getElementById('description').textContent = report.description;
    document.getElementById('facts').append(...report.run.map(([name, value]) => element('li', {}, element('b', {}, name), value)));
    document.getElementById('notes').append(...report.notes.map(note => element('li', {}, note)));
    document.getElementById('made-by').textContent = `Made by ${report.program}. Everything is in this file; it loads nothing.`;
  },

  // Each packed number list becomes an array, wherever it stands.
  async unpack(value) {
    for (const [key, part] of Object.entries(value)) {
      if (part === null || typeof part !== 'object') continue;
      if ('bits' in part && 'data' in part) value[key] = await Numbers.unpack(part);
      else await this.unpack(part);
    }
  },

  makeTransport(report, clock) {
    const play = element('button', {type: 'button', id: 'play', 'aria-label': 'Play', onclick: () => clock.setPlaying(!clock.playing)}, '▶');
    const slider = element('input', {type: 'range', id: 'scrub', min: 0, max: 10000, step: 1, value: 0, 'aria-label': 'Time'});
    slider.addEventListener('input', () => {
      clock.setPlaying(false);
      clock.setTime(clock.start + (clock.end - clock.start) * slider.value / 10000);
    });
    const time = element('output', {id: 'time', 'for': 'scrub'});
    const speed = element('select', {'aria-label': 'Speed'}, ...Clock.speeds.map(value => element('option', {value}, value >= 1 ? `${value} ×` : `1/${Math.round(1 / value)} ×`)));
    speed.value = String(clock.speed);
    speed.addEventListener('change', () => { clock.speed = Number(speed.value); });
    const repeat = element('input', {type: 'checkbox', checked: true});
    repeat.addEventListener('change', () => { clock.repeats = repeat.checked; });
    document.getElementById('transport').append(play, time, slider, element('label', {}, 'speed ', speed), element('label', {}, repeat, ' repeat'));
    this.section('transport');
    const digits = Math.max(3, Math.ceil(3 - Math.log10(clock.end - clock.start || 1)));
    clock.on('time', () => {
      const text = `${clock.time.toFixed(Math.min(9, digits))} s`.replace('-', '−');
      time.textContent = text;
      slider.value = clock.end > clock.start ? Math.round(10000 * (clock.time - clock.start) / (clock.end - clock.start)) : 0;
      slider.setAttribute('aria-valuetext', text);
      document.documentElement.dataset.time = clock.time;
    });
    if (report.scenes.length > 0 && VideoRecording.possible()) {
      const save = element('button', {type: 'button', id: 'save-video', title: 'plays the run once, at the speed chosen here, and saves what the animation shows'}, 'save video');
      save.addEventListener('click', () => this.saveVideo(save));
      document.getElementById('transport').append(save);
    }
    clock.on('play', () => {
      play.textContent = clock.playing ? '❚❚' : '▶';
      play.setAttribute('aria-label', clock.playing ? 'Pause' : 'Play');
    });
  },

  async saveVideo(button) {
    if (this.recording) {
      this.recording.stop();
      return;
    }
    button.textContent = 'stop video';
    this.recording = new VideoRecording(this.report.title, this.views, this.clock);
    try {
      await this.recording.save();
    } finally {
      this.recording = null;
      button.textContent = 'save video';
    }
  },

  makeStages(report, clock) {
    this.views = [];
    if (report.scenes.length === 0) return;
    this.section('animation');
    const webgl = report.scenes.some(scene => scene.dimension === 3) && hasWebGL();
    const notes = document.getElementById('animation-notes');
    for (const scene of report.scenes) {
      const view = element('div', {class: 'view'}), tools = element('div', {class: 'stage-tools no-print'});
      const stage = element('div', {class: 'stage'}, ...(scene.name ? [element('h3', {}, scene.name)] : []), view, tools);
      document.getElementById('stages').append(stage);
      const shown = scene.dimension === 2 ? new PlaneView(scene, view) : webgl ? new SpaceView(scene, view) : new WireView(scene, view);
      this.views.push(shown);
      view.append(element('span', {class: 'hint no-print'}, scene.dimension === 2 ? 'wheel zooms, drag moves' : 'drag turns, wheel zooms'));
      this.makeTools(shown, tools, scene);
      if (scene.dimension === 3 && !webgl) notes.append(element('li', {}, 'This browser has no WebGL: the scene is drawn as wire frames.'));
      for (const note of scene.notes) notes.append(element('li', {}, note));
    }
    const draw = () => this.views.forEach(view => view.moveTo(clock.time));
    clock.on('time', draw);
    addEventListener('resize', () => this.views.forEach(view => view.draw()));
    Theme.listeners.push(() => this.views.forEach(view => view.recolour ? view.recolour() : view.draw()));
  },

  makeTools(view, tools, scene) {
    const redraw = () => view.moveTo(this.clock.time);
    const forces = element('input', {type: 'checkbox', checked: true});
    forces.addEventListener('change', () => { view.showForces = forces.checked; redraw(); });
    const scale = element('input', {type: 'range', min: -2, max: 2, step: 0.05, value: 0, 'aria-label': 'Length of forces'});
    scale.addEventListener('input', () => { view.forceScale = 10 ** Number(scale.value); redraw(); });
    const box = (name, text) => {
      const input = element('input', {type: 'checkbox', checked: view[name]});
      input.addEventListener('change', () => { view[name] = input.checked; if (name === 'follows') view.fit(); redraw(); });
      return element('label', {}, input, text);
    };
    const swatch = name => element('span', {class: 'swatch', style: `background:var(--${name});margin:0`});
    tools.append(element('label', {}, forces, swatch('force'), 'contact forces', ...(scene.inputs.length > 0 ? [swatch('input'), 'inputs'] : [])), element('label', {}, 'length', scale),
        box('showNames', 'names'), ...(scene.bodies.some(body => body.moves) ? [box('follows', 'follow')] : []),
        element('button', {type: 'button', onclick: () => { view.fit(); redraw(); }}, 'see all'));
  },

  makeEnergy(report, clock) {
    if (report.energies.length === 0) return;
    this.section('energy');
    for (const energy of report.energies) {
      const panel = new Panel(report, clock, [energy.kinetic, energy.potential, energy.total, energy.work, energy.dissipated], {title: energy.of ? `energy of ${energy.of}` : 'energy'});
      const nothing = energy.notes.length > 0 ? '' : 'No input and no prescribed motion does work here.';
      const what = energy.counted.length > 0 ? `Work is that of ${energy.counted.join(', ')}, summed from the rows of the results.` : nothing;
      const box = element('div', {}, panel.root, element('p', {class: 'soft'}, `Dissipated is the total at the start, plus the work, less the total: what friction, impacts, dampers and the relaxation of contacts took, and the error of the sum. ${what}`),
          element('ul', {class: 'notes'}, ...energy.notes.map(note => element('li', {}, note))));
      document.getElementById('energy-list').append(box);
      this.plots.fixed.push(panel);
      panel.show();
    }
  },

  writeDataNote(report) {
    const frames = report.scenes.map(scene => scene.frames);
    const kept = report.buckets > 0
      ? `The run has ${report.rows} rows. Kept are the smallest and the largest value of each column in ${report.buckets} spans of ${Math.ceil(report.rows / report.buckets)} rows or fewer, so that peaks stay; within a span their times are not exact.`
      : `All ${report.rows} rows are here, ${report.bits === 64 ? 'to the last digit' : 'with seven digits'}.`;
    const drawn = frames.length > 0 ? ` The animation and the cones have ${frames.join(', ')} of them.` : '';
    const note = document.getElementById('data-note');
    note.textContent = kept + drawn + ' Where there are more than the pixels tell apart, a plot draws the extremes.';
  },

  writeConnections(report) {
    if (report.connections.length === 0) return;
    this.section('system');
    const rows = report.connections.map(([from, to]) => element('tr', {}, element('td', {}, from), element('td', {}, to)));
    const head = element('thead', {}, element('tr', {}, ...['output', 'input'].map(text => element('th', {scope: 'col'}, text))));
    document.getElementById('connection-table').append(element('div', {class: 'scroll'}, element('table', {}, head, element('tbody', {}, ...rows))));
  },

  writeParameters(report) {
    if (report.parameters.length === 0) return;
    this.section('parameters');
    const most = 2000;
    const rows = report.parameters.slice(0, most).map(parameter => element('tr', parameter.set ? {'class': 'set'} : {},
        element('td', {}, parameter.name), element('td', {class: 'number'}, parameter.value + (parameter.unit ? ' ' + Numbers.unit(parameter.unit) : '')),
        element('td', {}, parameter.description + (parameter.set ? ' (set for this run)' : ''))));
    const head = element('thead', {}, element('tr', {}, ...['parameter', 'value', 'meaning'].map(text => element('th', {scope: 'col'}, text))));
    document.getElementById('parameter-table').append(element('div', {class: 'scroll'}, element('table', {}, head, element('tbody', {}, ...rows))));
    if (report.parameters.length > most)
      document.getElementById('parameter-table').append(element('p', {class: 'soft'}, `The first ${most} of ${report.parameters.length}.`));
  },

  // A button and a box take the space bar for themselves, and no arrows; the slider of time leaves both to the page.
  takesKey(target, key) {
    if (target.id === 'scrub') return false;
    const box = target.tagName === 'INPUT' && /^(checkbox|button)$/.test(target.type);
    if (target.tagName === 'BUTTON' || target.tagName === 'SUMMARY' || box) return key === ' ' && target.id !== 'play';
    return /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName);
  },

  listen(clock) {
    // Where Play has the focus, the space bar would press it on release, too.
    addEventListener('keyup', event => { if (event.key === ' ' && event.target.id === 'play') event.preventDefault(); });
    addEventListener('keydown', event => {
      if (event.ctrlKey || event.metaKey || event.altKey || this.takesKey(event.target, event.key)) return;
      const step = (clock.to - clock.from) / (event.shiftKey ? 20 : 200);
      const keys = {' ': () => clock.setPlaying(!clock.playing), ArrowLeft: () => clock.setTime(clock.time - step), ArrowRight: () => clock.setTime(clock.time + step),
        Home: () => clock.setTime(clock.start), End: () => clock.setTime(clock.end)};
      if (!(event.key in keys)) return;
      event.preventDefault();
      if (event.key !== ' ') clock.setPlaying(false);
      keys[event.key]();
    });
  },
};

window.delassusReport = DelassusReport;
DelassusReport.ready = DelassusReport.start().catch(error => {
  const wait = document.getElementById('wait');
  wait.hidden = false;
  wait.textContent = `The page cannot be shown: ${error.message}`;
  document.documentElement.dataset.state = 'failed';
  console.error(error);
});
