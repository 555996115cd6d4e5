// The animation of a spatial scene: three.js where the browser has WebGL, else wire frames on a canvas. z is up.
'use strict';

function hasWebGL() {
  try {
    const canvas = document.createElement('canvas');
    return Boolean(canvas.getContext('webgl2') || canvas.getContext('webgl'));
  } catch (error) {
    return false;
  }
}

class SpaceView {
  constructor(scene, view) {
    this.scene = scene;
    this.view = view;
    this.motion = new Motion(scene);
    this.forceScale = 1;
    this.showForces = true;
    this.renderer = new THREE.WebGLRenderer({antialias: true, alpha: true, preserveDrawingBuffer: true});
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio || 1));
    const canvas = this.renderer.domElement;
    for (const [name, value] of [['role', 'img'], ['tabindex', '0'], ['aria-label', `Animation of ${scene.name || 'the scene'}`]]) canvas.setAttribute(name, value);
    view.append(canvas);
    this.world = new THREE.Scene();
    const {largest} = this.motion.size;
    this.camera = new THREE.PerspectiveCamera(38, 1, largest * 0.005, largest * 100);
    this.camera.up.set(0, 0, 1);
    this.controls = new THREE.OrbitControls(this.camera, canvas);
    this.controls.addEventListener('change', () => this.draw());
    // Arrow keys are those of the page: they step in time.
    this.controls.enableKeys = false;
    canvas.addEventListener('dblclick', () => { this.fit(); this.draw(); });
    this.ambient = new THREE.HemisphereLight(0xffffff, 0x8090a0, 0.75);
    this.ambient.position.set(0, 0, 1);
    this.sun = new THREE.DirectionalLight(0xffffff, 0.55);
    this.sun.position.set(0.5, -1, 1.6);
    this.world.add(this.ambient, this.sun);
    this.arrowParts = {shaft: new THREE.CylinderBufferGeometry(1, 1, 1, 12).rotateX(Math.PI / 2), head: new THREE.ConeBufferGeometry(1, 1, 16).rotateX(Math.PI / 2)};
    this.arrows = [];
    this.build();
    this.fit();
  }

  get kind() {
    return 'WebGL';
  }

  material(name, options = {}) {
    return new THREE.MeshLambertMaterial(Object.assign({color: new THREE.Color(Theme.colour(name))}, options));
  }

  build() {
    this.groups = this.scene.bodies.map(body => {
      const group = new THREE.Group();
      group.position.set(...body.place);
      group.quaternion.set(body.turn[1], body.turn[2], body.turn[3], body.turn[0]);
      for (const shape of body.shapes) group.add(this.makeShape(shape, body.moves));
      if (body.halfLength > 0) group.add(this.makeBar([-body.halfLength, 0, 0], [body.halfLength, 0, 0]));
      const size = this.motion.size.largest;
      if (body.shapes.length === 0 && body.halfLength === 0 && body.moves) {
        for (const point of body.points) group.add(this.makeBar([0, 0, 0], point));
        group.add(new THREE.Mesh(new THREE.SphereBufferGeometry(0.018 * size, 20, 14), this.material('body')));
      }
      for (const point of body.points) {
        const dot = new THREE.Mesh(new THREE.SphereBufferGeometry(0.008 * size, 12, 8), this.material('body-edge'));
        dot.position.set(...point);
        group.add(dot);
      }
      this.world.add(group);
      this.centrePlanes(group, body);
      return group;
    });
    const {middle, largest} = this.motion.size;
    for (const height of this.scene.grounds) {
      const ground = this.makePlane(largest * 3, true);
      ground.position.set(middle[0], middle[1], height);
      this.world.add(ground);
    }
    this.links = this.scene.links.map(link => {
      const line = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({color: new THREE.Color(Theme.colour('ink'))}));
      line.geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(6), 3));
      line.frustumCulled = false;
      const dot = new THREE.Mesh(new THREE.SphereBufferGeometry(0.013 * largest, 16, 10), this.material('ink'));
      this.world.add(link.kind === 'joint' ? dot : line);
      return {link, line, dot};
    });
  }

  // A plane has no end: of one that stays, the part near the scene is drawn.
  centrePlanes(group, body) {
    if (body.moves) return;
    group.updateMatrixWorld(true);
    body.shapes.forEach((shape, index) => {
      if (shape.kind !== 'plane') return;
      const near = group.children[index].worldToLocal(new THREE.Vector3(...this.motion.size.middle));
      group.children[index].children[0].position.set(0, near.y, near.z);
    });
  }

  makeShape(shape, moves) {
    let made;
    const name = moves ? 'body' : 'ground';
    if (shape.kind === 'plane') {
      made = new THREE.Group();
      const plane = this.makePlane(this.motion.size.largest * 1.3, false);
      plane.rotation.y = Math.PI / 2;  // its normal is the first axis
      made.add(plane);
    } else if (shape.kind === 'box') {
      const geometry = new THREE.BoxBufferGeometry(2 * shape.half[0], 2 * shape.half[1], 2 * shape.half[2]);
      made = new THREE.Mesh(geometry, this.material(name));
      made.add(new THREE.LineSegments(new THREE.EdgesGeometry(geometry), new THREE.LineBasicMaterial({color: new THREE.Color(Theme.colour('body-edge'))})));
    } else {
      made = new THREE.Group();
      const half = shape.kind === 'capsule' ? shape.half[0] : 0;
      for (const side of half > 0 ? [-1, 1] : [0]) {
        const ball = this.makeBall(shape.radius, name);
        ball.position.x = side * half;
        made.add(ball);
      }
      if (half > 0) made.add(new THREE.Mesh(new THREE.CylinderBufferGeometry(shape.radius, shape.radius, 2 * half, 28, 1, true).rotateZ(Math.PI / 2), this.material(name)));
    }
    made.position.set(...shape.place);
    made.quaternion.set(shape.turn[1], shape.turn[2], shape.turn[3], shape.turn[0]);
    return made;
  }

  // Eight fields, light and dark, so that it is seen to turn.
  makeBall(radius, name) {
    const detail = this.scene.bodies.length > 200 ? [16, 10] : [32, 20];
    const geometry = new THREE.SphereBufferGeometry(radius, ...detail).toNonIndexed();
    const light = new THREE.Color(Theme.colour(name)), dark = new THREE.Color(Theme.colour('body-edge'));
    const position = geometry.getAttribute('position'), colours = new Float32Array(position.count * 3);
    for (let face = 0; face < position.count; face += 3) {
      const sum = [0, 1, 2].map(axis => [0, 1, 2].reduce((all, corner) => all + position.array[3 * (face + corner) + axis], 0));
      const colour = sum[0] * sum[1] * sum[2] > 0 ? light : light.clone().lerp(dark, 0.55);
      for (let corner = 0; corner < 3; ++corner) colour.toArray(colours, 3 * (face + corner));
    }
    geometry.setAttribute('color', new THREE.BufferAttribute(colours, 3));
    return new THREE.Mesh(geometry, new THREE.MeshLambertMaterial({vertexColors: THREE.VertexColors}));
  }

  // Walls are in front of something: they are fainter than the ground.
  makePlane(size, ground) {
    const group = new THREE.Group();
    const face = new THREE.Mesh(new THREE.PlaneBufferGeometry(size, size), this.material('ground', {transparent: true, opacity: ground ? 0.22 : 0.1, side: THREE.DoubleSide, depthWrite: false}));
    group.add(face);
    if (ground) {
      const lines = new THREE.GridHelper(size, 24, new THREE.Color(Theme.colour('axis')), new THREE.Color(Theme.colour('line')));
      lines.rotation.x = Math.PI / 2;
      group.add(lines);
    } else {
      group.add(new THREE.LineSegments(new THREE.EdgesGeometry(face.geometry), new THREE.LineBasicMaterial({color: new THREE.Color(Theme.colour('axis'))})));
    }
    return group;
  }

  makeBar(a, b) {
    const from = new THREE.Vector3(...a), to = new THREE.Vector3(...b), radius = 0.009 * this.motion.size.largest;
    const bar = new THREE.Mesh(new THREE.CylinderBufferGeometry(radius, radius, from.distanceTo(to) || 1e-9, 14), this.material('body'));
    bar.position.copy(from).add(to).multiplyScalar(0.5);
    bar.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), to.clone().sub(from).normalize());
    return bar;
  }

  fit() {
    const {middle, low, high} = this.motion.size;
    const radius = 0.5 * Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]) || 1;
    const distance = 1.15 * radius / Math.sin(this.camera.fov / 2 * Math.PI / 180);
    this.controls.target.set(...middle);
    this.camera.position.set(middle[0] + 0.45 * distance, middle[1] - 0.78 * distance, middle[2] + 0.42 * distance);
    this.controls.update();
  }

  // Colours are in materials and vertices: the world is built anew.
  recolour() {
    for (const child of this.world.children.slice()) {
      if (child !== this.ambient && child !== this.sun) this.world.remove(child);
    }
    this.arrows = [];
    this.build();
    this.place();
    this.draw();
  }

  moveTo(time) {
    this.motion.moveTo(time);
    this.place();
    this.draw();
  }

  place() {
    this.scene.bodies.forEach((body, index) => {
      if (!body.moves) return;
      const {place, turn} = this.motion.poses[index];
      this.groups[index].position.set(...place);
      this.groups[index].quaternion.set(turn[1], turn[2], turn[3], turn[0]);
    });
    for (const {link, line, dot} of this.links) {
      const a = this.motion.place(link.a.body, link.a.place);
      if (link.kind === 'joint') {
        dot.position.set(...a);
        continue;
      }
      const positions = line.geometry.getAttribute('position');
      positions.array.set([...a, ...this.motion.place(link.b.body, link.b.place)]);
      positions.needsUpdate = true;
    }
    this.placeArrows();
  }

  placeArrows() {
    const list = this.showForces ? this.motion.arrows() : [];
    const size = this.motion.size.largest, perNewton = 0.22 * size * this.forceScale / this.motion.strongest;
    // Many forces at once are drawn thinner.
    const thick = size * (list.length > 60 ? 0.004 : 0.008);
    while (this.arrows.length < list.length) {
      const arrow = new THREE.Group();
      arrow.add(new THREE.Mesh(this.arrowParts.shaft), new THREE.Mesh(this.arrowParts.head));
      for (const part of arrow.children) part.renderOrder = 10;  // forces are seen through bodies
      this.arrows.push(arrow);
      this.world.add(arrow);
    }
    const materials = {};
    for (const kind of ['force', 'input']) materials[kind] = this[kind + 'Material'] = this[kind + 'Material'] || this.material(kind, {depthTest: false, transparent: true, opacity: 0.9});
    materials.force.color.set(Theme.colour('force'));
    materials.input.color.set(Theme.colour('input'));
    this.arrows.forEach((arrow, index) => {
      const given = list[index];
      arrow.visible = index < list.length;
      if (!arrow.visible) return;
      const length = Math.max(1e-9 * size, Math.hypot(...given.force) * perNewton), head = Math.min(4 * thick, 0.6 * length);
      const [shaft, tip] = arrow.children;
      shaft.material = tip.material = materials[given.kind];
      shaft.scale.set(thick, thick, Math.max(length - head, 1e-9));
      shaft.position.z = (length - head) / 2;
      tip.scale.set(2.2 * thick, 2.2 * thick, head);
      tip.position.z = length - head / 2;
      arrow.position.set(...given.place);
      arrow.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), new THREE.Vector3(...given.force).normalize());
    });
  }

  draw() {
    const width = this.view.clientWidth, height = this.view.clientHeight;
    if (width === 0 || height === 0) return;
    if (this.width !== width || this.height !== height) {
      this.width = width;
      this.height = height;
      this.renderer.setSize(width, height, false);
      this.camera.aspect = width / height;
      this.camera.updateProjectionMatrix();
    }
    this.renderer.render(this.world, this.camera);
  }
}

// Without WebGL: edges and outlines, turned by dragging, zoomed by the wheel.
class WireView {
  constructor(scene, view) {
    this.scene = scene;
    this.motion = new Motion(scene);
    this.canvas = element('canvas', {role: 'img', tabindex: '0', 'aria-label': `Animation of ${scene.name || 'the scene'}, as wire frames`});
    view.append(this.canvas);
    this.forceScale = 1;
    this.showForces = true;
    this.fit();
    this.canvas.addEventListener('wheel', event => {
      event.preventDefault();
      this.zoom *= Math.exp(-event.deltaY * 0.0015);
      this.draw();
    }, {passive: false});
    this.canvas.addEventListener('pointermove', event => {
      if (event.buttons === 0) return;
      this.azimuth -= event.movementX * 0.008;
      this.elevation = Math.min(1.5, Math.max(-1.5, this.elevation + event.movementY * 0.008));
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
    const {context, width, height} = prepared, {middle, low, high, largest} = this.motion.size;
    const radius = 0.5 * Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]) || 1;
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
    this.scene.bodies.forEach((body, index) => {
      context.strokeStyle = Theme.colour('body-edge');
      context.lineWidth = 1.4;
      for (const shape of body.shapes) this.drawShape(context, line, index, shape);
      if (body.halfLength > 0) line(this.motion.place(index, [-body.halfLength, 0, 0]), this.motion.place(index, [body.halfLength, 0, 0]));
      if (body.shapes.length === 0) for (const point of body.points) line(this.motion.place(index, [0, 0, 0]), this.motion.place(index, point));
    });
    context.strokeStyle = Theme.colour('ink');
    for (const link of this.scene.links) {
      if (link.kind !== 'joint') line(this.motion.place(link.a.body, link.a.place), this.motion.place(link.b.body, link.b.place));
    }
    if (!this.showForces) return;
    const perNewton = 0.22 * largest * this.forceScale / this.motion.strongest;
    context.lineWidth = 2.2;
    for (const {place, force, kind} of this.motion.arrows()) {
      context.strokeStyle = context.fillStyle = Theme.colour(kind);
      const tip = place.map((value, k) => value + force[k] * perNewton);
      line(place, tip);
      context.beginPath();
      context.arc(...this.toScreen(tip), 3.2, 0, 2 * Math.PI);
      context.fill();
    }
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
