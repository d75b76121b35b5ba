/** Runs the design that DESIGN names. */
const DESIGNS: Record<string, string> = {
  "gate": "./gate.js",
  "informed": "./informed.js",
  "sweeper": "./sweeper.js",
  "labelled": "./labelled.js",
  "applied": "./applied.js",
};
await import(DESIGNS[process.env.DESIGN || "gate"] ?? "an unknown DESIGN");
