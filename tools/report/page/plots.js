// Plots over time, drawn by dygraphs: each panel has some columns of one unit. All panels show the window of the clock, and its time.
// dygraphs is given no more rows than there are pixels to tell apart: with each new window they are chosen anew from all.
'use strict';

class Panel {
  // `columns` are indices into report.columns.
  constructor(report, clock, columns, {onRemove = null, title = null} = {}) {
    this.report = report;
    this.clock = clock;
    this.columns = columns.slice();
    this.onRemove = onRemove;
    this.title = title;
    this.head = element('div', {class: 'panel-head'});
    this.chart = element('div', {class: 'chart'});
    this.cursor = element('div', {class: 'cursor'});
    this.hover = element('div', {class: 'cursor hover', hidden: true});
    this.plot = element('div', {class: 'plot', role: 'img'}, this.chart, this.cursor, this.hover);
    this.root = element('div', {class: 'panel'}, this.head, this.plot);
    this.graph = null;
    this.pending = false;
    this.chart.addEventListener('mousemove', event => {
      if (!this.graph || event.buttons !== 0) return;
      const x = event.clientX - this.chart.getBoundingClientRect().left, area = this.graph.getArea();
      this.clock.setHover(x < area.x || x > area.x + area.w ? null : this.graph.toDataXCoord(x));
    });
    this.chart.addEventListener('mouseleave', () => this.clock.setHover(null));
  }

  get first() {
    return this.report.columns[this.columns[0]];
  }

  // What this panel is of, for its heading and for who cannot see it.
  describe() {
    if (this.title) return this.title;
    const names = [...new Set(this.columns.map(index => this.report.columns[index].name.replace(/\[[^\]]*\]$/, '')))];
    return names.slice(0, 3).join(', ') + (names.length > 3 ? ', …' : '');
  }

  colour(place) {
    return Theme.series[place % Theme.series.length];
  }

  // Once the panel is in the page and has a size.
  show() {
    this.writeHead();
    this.draw();
  }

  writeHead() {
    const unit = this.first.unit ? ` [${Numbers.unit(this.first.unit)}]` : '';
    this.plot.setAttribute('aria-label', `Plot of ${this.describe()}${unit} over time`);
    this.values = this.columns.map(() => element('b'));
    this.head.replaceChildren(element('span', {class: 'quantity'}, this.describe() + unit));
    this.columns.forEach((index, place) => {
      const column = this.report.columns[index];
      const chip = element('span', {class: 'chip', title: column.description || column.name},
          element('span', {class: 'swatch', style: `background:${this.colour(place)}`}), column.name, this.values[place]);
      if (this.onRemove)
        chip.append(element('button', {type: 'button', 'aria-label': `Take ${column.name} out of the plots`, onclick: () => this.onRemove(index)}, '×'));
      this.head.append(chip);
    });
    this.showValues();
  }

  rows() {
    const width = Math.max(100, this.chart.clientWidth - 80);
    return Numbers.rowsFor(this.report.time, this.columns.map(index => this.report.columns[index].values), this.clock.from, this.clock.to, width);
  }

  options() {
    const labels = ['time', ...this.columns.map(index => this.report.columns[index].name)];
    const series = {};
    for (const index of this.columns) series[this.report.columns[index].name] = {stepPlot: this.report.columns[index].stepped};
    const items = this.first.items;
    const y = {axisLabelWidth: 66, axisLabelFormatter: (value, granularity, option, graph) => Numbers.text(value, Numbers.digitsFor(graph.yAxisRange())), gridLineColor: Theme.colour('grid'), axisLineColor: Theme.colour('axis'), pixelsPerLabel: 26};
    const options = {
      labels, series, colors: this.columns.map((index, place) => this.colour(place)), strokeWidth: 1.6,
      legend: 'never', showLabelsOnHighlight: false, highlightCircleSize: 0, dateWindow: [this.clock.from, this.clock.to],
      axes: {x: {axisLabelFormatter: (value, granularity, option, graph) => Numbers.text(value, Numbers.digitsFor(graph.xAxisRange())), gridLineColor: Theme.colour('grid'), axisLineColor: Theme.colour('axis'), valueFormatter: value => Numbers.text(value), pixelsPerLabel: 80}, y},
      xlabel: 'time [s]', xLabelHeight: 15, xRangePad: 0, yRangePad: 8, connectSeparatedPoints: false, digitsAfterDecimal: 6, rightGap: 12,
      interactionModel: Object.assign({}, Dygraph.defaultInteractionModel, {
        dblclick: () => {
          this.range = null;
          this.clock.setWindow(this.clock.start, this.clock.end);
          this.update();
        },
      }),
      clickCallback: (event, x) => {
        this.clock.setPlaying(false);
        this.clock.setTime(x);
      },
      zoomCallback: (from, to, ranges) => {
        this.range = this.graph.isZoomed('y') ? ranges[0] : null;
        this.follow();
      },
      drawCallback: (graph, initial) => {
        this.graph = graph;
        if (!initial) this.follow();
        this.showCursor();
      },
    };
    if (items.length > 0) {
      const numbers = items.map(item => item[0]);
      options.valueRange = [Math.min(...numbers) - 0.4, Math.max(...numbers) + 0.4];
      y.ticker = () => items.map(([value, name]) => ({v: value, label: name}));
      y.axisLabelFormatter = value => value;
    }
    return options;
  }

  draw() {
    if (this.graph) this.graph.destroy();
    this.graph = null;
    if (this.clock.end > this.clock.start) this.graph = new Dygraph(this.chart, this.rows(), this.options());
    this.showCursor();
  }

  // The user zoomed or moved this plot: so do the others. Not while dygraphs is still drawing.
  follow() {
    const [from, to] = this.graph.xAxisRange();
    if (from === this.clock.from && to === this.clock.to) return;
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      if (!this.graph) return;
      const [left, right] = this.graph.xAxisRange();
      this.clock.setWindow(left, right);
      // Beyond the ends of the run there is nothing to see.
      if (this.clock.from !== left || this.clock.to !== right) this.update();
    });
  }

  update() {
    if (!this.graph) return;
    const options = {file: this.rows(), dateWindow: [this.clock.from, this.clock.to]};
    if (this.first.items.length === 0) options.valueRange = this.range || null;
    this.graph.updateOptions(options);
  }

  showCursor() {
    if (!this.graph) return;
    const area = this.graph.getArea();
    const put = (line, time) => {
      const inside = time !== null && time >= this.clock.from && time <= this.clock.to;
      line.hidden = !inside;
      if (!inside) return;
      line.style.left = `${this.graph.toDomXCoord(time)}px`;
      line.style.top = `${area.y}px`;
      line.style.height = `${area.h}px`;
    };
    put(this.cursor, this.clock.time);
    put(this.hover, this.clock.hover);
  }

  showValues() {
    const row = Numbers.placeAt(this.report.time, this.clock.shown);
    this.columns.forEach((index, place) => {
      const column = this.report.columns[index], value = column.values[row];
      const item = column.items.find(([number]) => number === value);
      this.values[place].textContent = item ? item[1] : Numbers.text(value);
    });
  }
}

class Plots {
  constructor(report, clock) {
    this.report = report;
    this.clock = clock;
    this.panels = [];
    this.fixed = [];  // of other sections
    this.list = document.getElementById('panels');
    clock.on('window', () => this.all().forEach(panel => { panel.update(); panel.showCursor(); }));
    clock.on('time', () => this.all().forEach(panel => { panel.showCursor(); panel.showValues(); }));
    clock.on('hover', () => this.all().forEach(panel => { panel.showCursor(); panel.showValues(); }));
    // Plots that are drawn anew while a page is printed stay empty: those that are there are shrunk to the width of a sheet of A4 or letter.
    Theme.listeners.push(() => this.all().forEach(panel => {
      const {plot} = panel, share = Math.min(1, 660 / plot.clientWidth);
      plot.style.transformOrigin = '0 0';
      plot.style.transform = Theme.printing ? `scale(${share})` : '';
      plot.style.marginBottom = Theme.printing ? `${Math.round((share - 1) * plot.clientHeight)}px` : '';
      if (!Theme.printing) panel.draw();
    }));
    let width = innerWidth;
    addEventListener('resize', () => {
      if (innerWidth !== width) this.all().forEach(panel => panel.update());
      width = innerWidth;
    });
  }

  all() {
    return this.panels.concat(this.fixed);
  }

  // Arrays together: rod.position[1] and rod.position[2]. What moves comes before what does not, what people look for before the rest.
  groups() {
    const groups = new Map();
    this.report.columns.forEach((column, index) => {
      if (column.computed) return;
      const key = column.name.replace(/\[[^\]]*\]$/, '') + '\n' + column.unit;
      if (!groups.has(key)) groups.set(key, {name: key.split('\n')[0], indices: []});
      groups.get(key).indices.push(index);
    });
    const wanted = ['.force', '.position', '.velocity', '.angle', '.angular_velocity', '.gap'];
    const rank = group => {
      const still = group.indices.every(index => this.isConstant(this.report.columns[index].values));
      const place = wanted.findIndex(ending => group.name.endsWith(ending));
      const shownElsewhere = /(^|\.)energy\.|\.mode$|_number$|(^|\.)events\.|contact\.residual$/.test(group.name);
      return (still ? 100 : 0) + (shownElsewhere ? 50 : 0) + (place < 0 ? wanted.length : place);
    };
    return [...groups.values()].map((group, order) => ({...group, rank: rank(group), order})).sort((a, b) => a.rank - b.rank || a.order - b.order);
  }

  isConstant(values) {
    for (let i = 1; i < values.length; ++i) {
      if (values[i] !== values[0] && !(Number.isNaN(values[i]) && Number.isNaN(values[0]))) return false;
    }
    return true;
  }

  // Of a system: what its components give each other, and what controllers say beside that. What bodies do is in one panel for each unit,
  // what controllers do in others.
  exchanged() {
    const {connections, columns, scenes} = this.report;
    if (connections.length === 0) return [];
    const plain = name => name.replace(/\[[^\]]*\]$/, '');
    const sources = new Set(connections.map(([from]) => from)), sinks = new Set(connections.map(([, to]) => to));
    const components = [...new Set(connections.flat().map(name => name.split('.')[0]))];
    const drawn = name => scenes.some(scene => name.startsWith(scene.name + '.'));
    const panels = new Map(), key = (kind, unit) => `${kind}\n${unit}`;
    // Components with a scene first, so that there is a panel of what is measured.
    const order = columns.map((column, index) => index).sort((a, b) => Number(drawn(columns[b].name)) - Number(drawn(columns[a].name)) || a - b);
    order.forEach(index => {
      const column = columns[index];
      const own = components.some(component => column.name.startsWith(component + '.'));
      const given = sources.has(column.name) || sources.has(plain(column.name));
      const taken = sinks.has(column.name) || sinks.has(plain(column.name));
      const said = own && !drawn(column.name) && !taken && column.items.length === 0;
      const goal = said && /\.(reference|setpoint)$/.test(column.name);
      if (column.computed || !(given || said) || (this.isConstant(column.values) && !(goal && column.values[0] !== 0))) return;
      // What a controller aims at beside what it measures.
      const kind = drawn(column.name) || (goal && panels.has(key('motion', column.unit))) ? 'motion' : 'control', name = key(kind, column.unit);
      if (!panels.has(name)) panels.set(name, {given: [], said: []});
      panels.get(name)[given ? 'given' : 'said'].push(index);
    });
    // What is given away before what is only said; motions before what controllers make of them.
    return [...panels].map(([name, {given, said}]) => ({indices: [...given, ...said].slice(0, 6), rank: (given.length > 0 ? 0 : 2) + (name.startsWith('motion') ? 0 : 0.5)}))
        .sort((a, b) => a.rank - b.rank).slice(0, 5);
  }

  start() {
    const exchanged = this.exchanged();
    for (const {indices} of exchanged) this.addPanel(indices);
    const most = exchanged.length > 3 ? 2 : 4;
    const kinds = new Map();
    const chosen = [];
    // An input that is connected says what the output does.
    const sinks = new Set(this.report.connections.map(([, to]) => to));
    const groups = this.groups().filter(group => !group.indices.every(index => this.shows(index) || sinks.has(this.report.columns[index].name)));
    // Not four forces and no motion: two of a kind at the most, as long as there are others.
    for (const strict of [true, false]) {
      for (const group of groups) {
        if (chosen.length >= most || chosen.includes(group)) continue;
        if (strict && (kinds.get(group.rank) || 0) >= 2) continue;
        kinds.set(group.rank, (kinds.get(group.rank) || 0) + 1);
        chosen.push(group);
      }
    }
    for (const group of chosen) this.addPanel(group.indices.slice(0, 8));
    this.makeChooser();
  }

  shows(index) {
    return this.panels.some(panel => panel.columns.includes(index));
  }

  addPanel(indices) {
    const panel = new Panel(this.report, this.clock, indices, {onRemove: index => this.remove(index)});
    this.panels.push(panel);
    this.list.append(panel.root);
    panel.show();
    return panel;
  }

  // To the panel of its array, or one of its own.
  add(index) {
    const base = name => name.replace(/\[[^\]]*\]$/, '');
    const column = this.report.columns[index];
    const panel = this.panels.find(one => one.first.unit === column.unit && one.first.items.length === column.items.length && base(one.first.name) === base(column.name));
    if (!panel) return this.addPanel([index]);
    panel.columns.push(index);
    panel.columns.sort((a, b) => a - b);
    panel.show();
    return panel;
  }

  remove(index) {
    const panel = this.panels.find(one => one.columns.includes(index));
    if (!panel) return;
    panel.columns = panel.columns.filter(one => one !== index);
    if (panel.columns.length === 0) {
      if (panel.graph) panel.graph.destroy();
      panel.root.remove();
      this.panels = this.panels.filter(one => one !== panel);
    } else {
      panel.show();
    }
    this.writeList();
  }

  makeChooser() {
    const most = 300;
    const list = element('div', {class: 'list', role: 'group', 'aria-label': 'Variables'});
    const search = element('input', {type: 'search', placeholder: 'part of a name', 'aria-label': 'Search variables', oninput: () => this.writeList()});
    const note = element('span', {class: 'soft'});
    const all = element('button', {type: 'button', onclick: () => this.clock.setWindow(this.clock.start, this.clock.end)}, 'whole time');
    this.writeList = () => {
      const wanted = search.value.trim().toLowerCase();
      const found = this.report.columns.map((column, index) => index).filter(index => this.report.columns[index].name.toLowerCase().includes(wanted));
      list.replaceChildren(...found.slice(0, most).map(index => {
        const column = this.report.columns[index];
        const box = element('input', {type: 'checkbox', onchange: event => event.target.checked ? this.add(index) : this.remove(index)});
        box.checked = this.shows(index);
        return element('label', {title: column.description || column.name}, box, column.name + (column.unit ? ` [${Numbers.unit(column.unit)}]` : ''));
      }));
      note.textContent = found.length > most ? ` the first ${most} of ${found.length}` : ` ${found.length} of ${this.report.columns.length}`;
    };
    const details = element('details', {}, element('summary', {}, 'Choose variables'), element('p', {}, search, note), list);
    details.addEventListener('toggle', () => this.writeList());
    document.getElementById('chooser').append(details, element('p', {}, all));
  }
}
