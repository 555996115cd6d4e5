// delassusReport.selfTest() plays, scrubs and zooms the page and tells what it saw: for tests in a browser that nobody sits at.
'use strict';

const SelfTest = {
  async run() {
    await DelassusReport.ready;
    const {report, clock, plots, views} = DelassusReport;
    const seen = {state: document.documentElement.dataset.state, rows: report.rows, kept: report.time.length, panels: plots.panels.length, scenes: report.scenes.length};
    seen.views = views.map(view => view.kind);
    seen.points = plots.all().map(panel => panel.rows().length);
    seen.largest = report.columns.map(column => column.values.reduce((most, value) => Number.isFinite(value) && value > most ? value : most, -Infinity));
    const nextFrame = () => new Promise(resolve => requestAnimationFrame(resolve));
    const picture = () => views.map(view => SelfTest.fingerprint(view));

    // Play advances time and animation.
    const before = picture();
    clock.setPlaying(true);
    for (let k = 0; k < 12; ++k) await nextFrame();
    clock.setPlaying(false);
    seen.played = clock.time - clock.start;
    seen.playMoves = views.map((view, k) => picture()[k] !== before[k]);

    // The slider moves everything, as fast as one can pull it.
    const slider = document.getElementById('scrub');
    const places = [];
    const began = performance.now();
    for (let k = 0; k <= 20; ++k) {
      slider.value = 500 * k;
      slider.dispatchEvent(new Event('input'));
      if (k === 10) {
        await nextFrame();
        places.push(...plots.all().map(panel => parseFloat(panel.cursor.style.left)));
        seen.scrubTime = clock.time;
        seen.scrubFrame = views.map(view => view.motion.frame);
        seen.modes = DelassusReport.timeline ? DelassusReport.timeline.rows.map(({now}) => now.textContent) : [];
      }
    }
    seen.scrubMilliseconds = (performance.now() - began) / 21;
    seen.cursors = places;

    // A zoom in one plot is one of all.
    if (plots.panels.length > 0 && clock.end > clock.start) {
      const span = clock.end - clock.start;
      plots.panels[0].graph.updateOptions({dateWindow: [clock.start + 0.25 * span, clock.start + 0.5 * span]});
      await nextFrame();
      await nextFrame();
      seen.windows = plots.all().map(panel => panel.graph.xAxisRange().map(time => (time - clock.start) / span));
      clock.setWindow(clock.start, clock.end);
      await nextFrame();
      seen.unzoomed = plots.all().map(panel => panel.graph.xAxisRange().map(time => (time - clock.start) / span));
    }

    // Keys.
    clock.setTime(clock.start);
    dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight'}));
    seen.keyStep = clock.time > clock.start;
    // And after a click on Play, which then has the focus.
    const play = document.getElementById('play'), press = key => play.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));
    play.focus();
    play.click();
    const started = clock.playing;
    press(' ');
    seen.spaceAfterPlay = started && !clock.playing;
    clock.setTime(clock.start);
    press('ArrowRight');
    seen.keyAfterPlay = clock.time > clock.start;
    press('End');
    seen.keyAfterPlay = seen.keyAfterPlay && clock.time === clock.end;
    clock.setTime(clock.start);
    seen.xlabels = plots.all().map(panel => (panel.chart.querySelector('.dygraph-xlabel') || {}).textContent);
    seen.shown = plots.panels.map(panel => panel.columns.map(index => report.columns[index].name));
    seen.cameras = views.filter(view => view.camera).map(view => {
      view.controls.maxDistance = view.camera.position.distanceTo(view.controls.target);
      view.camera.position.z = view.controls.target.z - 10;  // from below
      view.controls.update();
      return view.camera.position.z - Math.min(...view.scene.grounds, Infinity);
    });
    return seen;
  },

  // Whether two pictures differ.
  fingerprint(view) {
    const canvas = view.canvas || view.renderer.domElement;
    return canvas.toDataURL();
  },
};

DelassusReport.selfTest = () => SelfTest.run();

// #at=0.25 opens the page at a quarter of the run.
const opened = /^#at=([\d.]+)$/.exec(location.hash);
if (opened) DelassusReport.ready.then(() => DelassusReport.clock.setTime(DelassusReport.clock.start + Number(opened[1]) * (DelassusReport.clock.end - DelassusReport.clock.start)));
