declare module "*.py" {
  const text: string;
  export default text;
}
declare module "pyodide/pyodide.asm.mjs" {
  const make: (settings: object) => Promise<object>;
  export default make;
}
