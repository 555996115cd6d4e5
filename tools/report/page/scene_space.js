// The animation of a spatial scene by three.js, where the browser has WebGL. z is up.
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
    this.showNames = scene.bodies.length <= 12;
    this.follows = this.motion.near.farther;
    this.renderer = new THREE.WebGLRenderer({antialias: true, alpha: true, preserveDrawingBuffer: true});
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio || 1));
    const canvas = this.renderer.domElement;
    for (const [name, value] of [['role', 'img'], ['tabindex', '0'], ['aria-label', `Animation of ${scene.name || 'the scene'}`]]) canvas.setAttribute(name, value);
    this.names = element('canvas', {class: 'names', 'aria-hidden': 'true'});
    view.append(canvas, this.names);
    this.world = new THREE.Scene();
    const {largest} = this.motion.size;
    this.camera = new THREE.PerspectiveCamera(38, 1, largest * 0.005, largest * 100);
    this.camera.up.set(0, 0, 1);
    this.controls = new THREE.OrbitControls(this.camera, canvas);
    this.controls.addEventListener('change', () => { this.stayAbove(); this.draw(); });
    // Below the ground there is nothing to see but its underside.
    if (scene.grounds.length > 0) this.controls.maxPolarAngle = Math.PI / 2 - 0.03;
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
    return this.paint(Theme.colour(name), options);
  }

  paint(colour, options = {}) {
    return new THREE.MeshLambertMaterial(Object.assign({color: new THREE.Color(colour)}, options));
  }

  stayAbove() {
    if (this.scene.grounds.length === 0) return;
    const lift = Math.min(...this.scene.grounds) - this.controls.target.z;
    if (lift <= 0) return;
    this.controls.target.z += lift;
    this.camera.position.z += lift;
  }

  build() {
    this.belts = [];
    this.groups = this.scene.bodies.map((body, index) => {
      const hue = this.motion.colour(index);
      const group = new THREE.Group();
      group.position.set(...body.place);
      group.quaternion.set(body.turn[1], body.turn[2], body.turn[3], body.turn[0]);
      for (const shape of body.shapes) group.add(this.makeShape(shape, hue));
      if (body.halfLength > 0) group.add(this.makeBar([-body.halfLength, 0, 0], [body.halfLength, 0, 0], hue));
      const size = this.motion.size.largest;
      if (body.shapes.length === 0 && body.halfLength === 0 && body.moves) {
        for (const point of body.points) group.add(this.makeBar([0, 0, 0], point, hue));
        group.add(new THREE.Mesh(new THREE.SphereBufferGeometry(0.018 * size, 20, 14), this.paint(hue)));
      }
      for (const point of body.points) {
        const dot = new THREE.Mesh(new THREE.SphereBufferGeometry(0.008 * size, 12, 8), this.material('body-edge'));
        dot.position.set(...point);
        group.add(dot);
      }
      this.world.add(group);
      this.centrePlanes(group, body);
      if (this.motion.ways.has(index)) for (const shape of body.shapes) this.addBelt(group, shape, this.motion.ways.get(index));
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
      const {middle, low, high} = this.motion.size, made = group.children[index], face = made.children[0];
      const near = made.worldToLocal(new THREE.Vector3(...middle));
      face.position.set(0, near.y, near.z);
      // As wide as the scene is along its two directions, so that walls meet in their edges.
      const turn = made.getWorldQuaternion(new THREE.Quaternion());
      const share = axis => Math.max(0.1, axis.applyQuaternion(turn).toArray().reduce((sum, part, k) => sum + Math.abs(part) * (high[k] - low[k]), 0) / this.motion.size.largest);
      face.scale.set(share(new THREE.Vector3(0, 0, 1)) / 1.3, share(new THREE.Vector3(0, 1, 0)) / 1.3, 1);
    });
  }

  // Marks across the upper face of a belt, which go with its surface.
  addBelt(group, shape, belt) {
    const size = this.motion.size.largest, up = new THREE.Vector3(0, 0, 1), along = new THREE.Vector3(...belt.along);
    const turn = new THREE.Quaternion(shape.turn[1], shape.turn[2], shape.turn[3], shape.turn[0]).premultiply(group.quaternion), back = turn.clone().conjugate();
    const [n, u] = [up, along].map(vector => vector.clone().applyQuaternion(back).toArray());
    const largestOf = (vector, not) => [0, 1, 2].filter(k => k !== not).reduce((best, k) => Math.abs(vector[k]) > Math.abs(vector[best]) ? k : best, not === 0 ? 1 : 0);
    const normal = shape.kind === 'plane' ? 0 : largestOf(n, -1), way = largestOf(u, normal), across = 3 - normal - way;
    const half = shape.kind === 'box' ? shape.half : [0, 0.65 * size, 0.65 * size];
    if (shape.kind !== 'box' && shape.kind !== 'plane') return;
    const sign = Math.sign(n[normal]) || 1, count = 10, spacing = 2 * half[way] / count, height = (shape.kind === 'box' ? half[normal] : 0) + 0.002 * size;
    const lines = new THREE.LineSegments(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({color: new THREE.Color(Theme.colour('body-edge'))}));
    lines.geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(6 * count), 3));
    lines.frustumCulled = false;
    lines.position.set(...shape.place);
    lines.quaternion.set(shape.turn[1], shape.turn[2], shape.turn[3], shape.turn[0]);
    group.add(lines);
    this.belts.push({lines, belt, normal, way, across, half, spacing, count, height: sign * height, direction: Math.sign(u[way]) || 1});
  }

  placeBelts() {
    for (const {lines, belt, normal, way, across, half, spacing, count, height, direction} of this.belts) {
      const positions = lines.geometry.getAttribute('position'), shift = ((direction * Motion.gone(belt) % spacing) + spacing) % spacing;
      for (let k = 0; k < count; ++k) {
        for (const side of [0, 1]) {
          const at = 3 * (2 * k + side);
          positions.array[at + normal] = height;
          positions.array[at + way] = -half[way] + shift + k * spacing;
          positions.array[at + across] = (side === 0 ? -1 : 1) * half[across];
        }
      }
      positions.needsUpdate = true;
    }
  }

  makeShape(shape, hue) {
    let made;
    if (shape.kind === 'plane') {
      made = new THREE.Group();
      const plane = this.makePlane(this.motion.size.largest * 1.3, false);
      plane.rotation.y = Math.PI / 2;  // its normal is the first axis
      made.add(plane);
    } else if (shape.kind === 'box') {
      const geometry = new THREE.BoxBufferGeometry(2 * shape.half[0], 2 * shape.half[1], 2 * shape.half[2]);
      made = new THREE.Mesh(geometry, this.paint(hue));
      made.add(new THREE.LineSegments(new THREE.EdgesGeometry(geometry), new THREE.LineBasicMaterial({color: new THREE.Color(Theme.colour('body-edge'))})));
    } else {
      made = new THREE.Group();
      const half = shape.kind === 'capsule' ? shape.half[0] : 0;
      for (const side of half > 0 ? [-1, 1] : [0]) {
        const ball = this.makeBall(shape.radius, hue);
        ball.position.x = side * half;
        made.add(ball);
      }
      if (half > 0) made.add(new THREE.Mesh(new THREE.CylinderBufferGeometry(shape.radius, shape.radius, 2 * half, 28, 1, true).rotateZ(Math.PI / 2), this.paint(hue)));
    }
    made.position.set(...shape.place);
    made.quaternion.set(shape.turn[1], shape.turn[2], shape.turn[3], shape.turn[0]);
    return made;
  }

  // Eight fields, light and dark, so that it is seen to turn.
  makeBall(radius, hue) {
    const detail = this.scene.bodies.length > 200 ? [16, 10] : [32, 20];
    const geometry = new THREE.SphereBufferGeometry(radius, ...detail).toNonIndexed();
    const light = new THREE.Color(hue), dark = new THREE.Color(Theme.colour('body-edge'));
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

  makeBar(a, b, hue) {
    const from = new THREE.Vector3(...a), to = new THREE.Vector3(...b), radius = 0.009 * this.motion.size.largest;
    const bar = new THREE.Mesh(new THREE.CylinderBufferGeometry(radius, radius, from.distanceTo(to) || 1e-9, 14), this.paint(hue));
    bar.position.copy(from).add(to).multiplyScalar(0.5);
    bar.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), to.clone().sub(from).normalize());
    return bar;
  }

  fit() {
    const {low, high} = this.motion.size;
    this.centre = this.motion.centre();
    const middle = this.follows ? this.centre.slice() : this.motion.size.middle;
    const radius = this.follows ? this.motion.near.span : 0.5 * Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]) || 1;
    const distance = 1.15 * radius / Math.sin(this.camera.fov / 2 * Math.PI / 180);
    this.controls.target.set(...middle);
    this.camera.position.set(middle[0] + 0.45 * distance, middle[1] - 0.78 * distance, middle[2] + 0.42 * distance);
    this.stayAbove();
    this.controls.update();
  }

  // The camera goes along with what moves.
  follow() {
    const centre = this.motion.centre();
    if (this.follows) {
      const way = new THREE.Vector3(...centre.map((x, k) => x - this.centre[k]));
      this.controls.target.add(way);
      this.camera.position.add(way);
      this.stayAbove();
    }
    this.centre = centre;
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
    this.follow();
    this.place();
    this.draw();
  }

  place() {
    this.placeBelts();
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
    const size = this.follows ? 2 * this.motion.near.span : this.motion.size.largest, perNewton = 0.22 * size * this.forceScale / this.motion.strongest;
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
    this.drawNames();
  }

  drawNames() {
    const prepared = prepareCanvas(this.names);
    if (!prepared || !this.showNames) return;
    const {context, width, height} = prepared, names = [];
    this.scene.bodies.forEach((body, index) => {
      if (!body.moves && !body.shapes.some(shape => shape.kind !== 'plane')) return;
      const at = this.groups[index].position.clone().project(this.camera);
      if (Math.abs(at.z) < 1) names.push({text: body.name, x: (at.x + 1) / 2 * width, y: (1 - at.y) / 2 * height});
    });
    drawNames(context, names, width, height);
  }
}
