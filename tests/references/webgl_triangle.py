def nothing(messages):
    return ""


TRIANGLE = """```html
<!DOCTYPE html>
<html>
<body style="margin: 0">
<canvas id="c" width="400" height="400" style="display: block"></canvas>
<script>
const gl = document.getElementById("c").getContext("webgl");

function shader(type, source) {
  const s = gl.createShader(type);
  gl.shaderSource(s, source);
  gl.compileShader(s);
  if (!gl.getShaderParameter(s, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(s));
  return s;
}

const program = gl.createProgram();
gl.attachShader(program, shader(gl.VERTEX_SHADER, "attribute vec2 p; void main() { gl_Position = vec4(p, 0.0, 1.0); }"));
gl.attachShader(program, shader(gl.FRAGMENT_SHADER, "void main() { gl_FragColor = vec4(1.0, 0.0, 0.0, 1.0); }"));
gl.linkProgram(program);
gl.useProgram(program);

gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-0.8, -0.8, 0.8, -0.8, 0, 0.8]), gl.STATIC_DRAW);
const p = gl.getAttribLocation(program, "p");
gl.enableVertexAttribArray(p);
gl.vertexAttribPointer(p, 2, gl.FLOAT, false, 0, 0);

gl.clearColor(0, 0, 0, 1);
gl.clear(gl.COLOR_BUFFER_BIT);
gl.drawArrays(gl.TRIANGLES, 0, 3);
</script>
</body>
</html>
```"""

TRIANGLE_2 = """WebGL 2 needs no buffer for three corners:

```html
<!doctype html>
<style>* { margin: 0 } canvas { position: absolute; left: 0; top: 0 }</style>
<canvas width=400 height=400></canvas>
<script>
const gl = document.querySelector("canvas").getContext('webgl2', { preserveDrawingBuffer: true });
const make = (kind, text) => { const s = gl.createShader(kind); gl.shaderSource(s, text); gl.compileShader(s); return s; };
const prog = gl.createProgram();
gl.attachShader(prog, make(gl.VERTEX_SHADER, `#version 300 es
void main() {
  vec2 at[3] = vec2[3](vec2(-0.8, -0.8), vec2(0.8, -0.8), vec2(0.0, 0.8));
  gl_Position = vec4(at[gl_VertexID], 0, 1);
}`));
gl.attachShader(prog, make(gl.FRAGMENT_SHADER, `#version 300 es
precision mediump float;
out vec4 colour;
void main() { colour = vec4(1, 0, 0, 1); }`));
gl.linkProgram(prog);
gl.useProgram(prog);
gl.clearColor(0, 0, 0, 1);
gl.clear(gl.COLOR_BUFFER_BIT);
gl.drawArrays(gl.TRIANGLES, 0, 3);
</script>
```"""

HOUSE = """```html
<!DOCTYPE html>
<html>
<head><style>body { margin: 0; } canvas { display: block; }</style></head>
<body>
<canvas id="house" width="400" height="400"></canvas>
<script>
const gl = document.getElementById("house").getContext("webgl");
const program = gl.createProgram();
for (const [type, source] of [
  [gl.VERTEX_SHADER, "attribute vec2 at; void main() { gl_Position = vec4(at.x / 200.0 - 1.0, 1.0 - at.y / 200.0, 0, 1); }"],
  [gl.FRAGMENT_SHADER, "precision mediump float; uniform vec3 colour; void main() { gl_FragColor = vec4(colour / 255.0, 1); }"],
]) {
  const shader = gl.createShader(type);
  gl.shaderSource(shader, source);
  gl.compileShader(shader);
  gl.attachShader(program, shader);
}
gl.linkProgram(program);
gl.useProgram(program);
gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
const at = gl.getAttribLocation(program, "at");
gl.enableVertexAttribArray(at);
gl.vertexAttribPointer(at, 2, gl.FLOAT, false, 0, 0);
const colour = gl.getUniformLocation(program, "colour");

function shape(points, r, g, b) {
  gl.uniform3f(colour, r, g, b);
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(points), gl.DYNAMIC_DRAW);
  gl.drawArrays(gl.TRIANGLE_STRIP, 0, points.length / 2);
}
function box(x0, y0, x1, y1, r, g, b) {
  shape([x0, y0, x1, y0, x0, y1, x1, y1], r, g, b);
}

box(0, 0, 400, 400, 135, 206, 235);
box(0, 300, 400, 400, 34, 139, 34);
box(100, 180, 300, 340, 255, 248, 220);
shape([80, 180, 320, 180, 200, 80], 178, 34, 34);
box(180, 260, 220, 340, 139, 69, 19);
</script>
</body>
</html>
```"""

YES = "A house with a red roof and a brown door on a lawn.\nVERDICT: YES"
NO = "There is no such house.\nVERDICT: NO"

RIGHT = {
    "TestWebGLTriangle": [TRIANGLE, TRIANGLE_2],
    "TestWebGLHouse": [
        [HOUSE, YES],
        [HOUSE.replace('"webgl"', "'webgl2'"), "The house is as described.\nVERDICT: YES"],
    ],
}

WRONG = {
    "TestWebGLTriangle": [
        nothing,
        TRIANGLE.replace("0, 0.8]", "0, 0.4]"),
        TRIANGLE.replace("gl.useProgram(program);", "// gl.useProgram(program);"),  # draws nothing
        TRIANGLE.replace(
            "void main() { gl_FragColor", "void main { gl_FragColor"
        ),  # a shader that does not compile
        TRIANGLE.replace(' style="margin: 0"', ""),  # 8 pixels off
        """```html
<body style="margin:0"><canvas id=c width=400 height=400 style="background:black"></canvas>
<script>
// like getContext("webgl"), only simpler
const c = document.getElementById("c").getContext("2d");
</script></body>
```""",
    ],
    "TestWebGLHouse": [
        nothing,
        [HOUSE.replace("1.0 - at.y / 200.0", "at.y / 200.0 - 1.0"), NO],  # upside down
        [HOUSE.replace("colour / 255.0", "colour"), NO],
        [
            HOUSE.replace("shape([80, 180, 320, 180, 200, 80], 178, 34, 34);", ""),
            "A hut without a roof.\nVERDICT: NO",
        ],
        [HOUSE.replace("gl.TRIANGLE_STRIP", "gl.TRIANGLES"), NO],  # half of each rectangle
    ],
}
