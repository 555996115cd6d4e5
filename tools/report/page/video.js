// What the animation shows as a video file: the run is played once, and what the canvases hold is recorded by the browser.
'use strict';

class VideoRecording {
  static possible() {
    return VideoRecording.format() !== null && Boolean(HTMLCanvasElement.prototype.captureStream);
  }

  static format() {
    if (typeof MediaRecorder === 'undefined') return null;
    return ['video/mp4;codecs=avc1.42E01F', 'video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'].find(type => MediaRecorder.isTypeSupported(type)) || null;
  }

  constructor(title, views, clock) {
    this.title = title || 'delassus';
    this.views = views;
    this.clock = clock;
    this.canvas = element('canvas');
    this.heading = 30;
    const ratio = Math.min(2, devicePixelRatio || 1);
    const [width, height] = [this.views.reduce((sum, view) => sum + VideoRecording.canvasOf(view).clientWidth, 0), Math.max(...views.map(view => VideoRecording.canvasOf(view).clientHeight))];
    // Even numbers, which the codecs ask for.
    this.canvas.width = 2 * Math.ceil(width * ratio / 2);
    this.canvas.height = 2 * Math.ceil((height + this.heading) * ratio / 2);
    this.ratio = ratio;
  }

  static canvasOf(view) {
    return view.canvas || view.renderer.domElement;
  }

  draw() {
    const context = this.canvas.getContext('2d');
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.fillStyle = Theme.colour('card');
    context.fillRect(0, 0, this.canvas.width, this.canvas.height);
    let left = 0;
    for (const view of this.views) {
      const canvas = VideoRecording.canvasOf(view);
      for (const part of [canvas, view.names instanceof HTMLCanvasElement ? view.names : null])
        if (part && part.width > 0 && part.height > 0) context.drawImage(part, left, this.heading, canvas.clientWidth, canvas.clientHeight);
      left += canvas.clientWidth;
    }
    context.font = '600 14px sans-serif';
    context.fillStyle = Theme.colour('ink');
    context.textAlign = 'left';
    context.fillText(this.title, 12, 20);
    context.textAlign = 'right';
    context.font = '14px sans-serif';
    context.fillText(document.getElementById('time').textContent, left - 12, 20);
  }

  stop() {
    this.clock.setPlaying(false);
  }

  // The file, once the run has been played to its end or was stopped.
  async record() {
    const {clock} = this, type = VideoRecording.format(), repeats = clock.repeats, parts = [];
    clock.setPlaying(false);
    clock.repeats = false;
    clock.setTime(clock.start);
    this.draw();
    const recorder = new MediaRecorder(this.canvas.captureStream(30), {mimeType: type, videoBitsPerSecond: 8e6});
    recorder.addEventListener('dataavailable', event => { if (event.data.size > 0) parts.push(event.data); });
    const ended = new Promise((resolve, reject) => {
      recorder.addEventListener('stop', resolve);
      recorder.addEventListener('error', event => reject(event.error));
    });
    recorder.start(500);
    clock.setPlaying(true);
    await new Promise(resolve => {
      const step = () => {
        this.draw();
        if (clock.playing) requestAnimationFrame(step);
        else setTimeout(resolve, 200);  // the last picture stays a moment
      };
      requestAnimationFrame(step);
    });
    recorder.stop();
    await ended;
    clock.repeats = repeats;
    return new Blob(parts, {type: type.split(';')[0]});
  }

  async save() {
    const file = await this.record(), link = element('a', {href: URL.createObjectURL(file), download: `${this.title}.${file.type === 'video/mp4' ? 'mp4' : 'webm'}`});
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  }
}
