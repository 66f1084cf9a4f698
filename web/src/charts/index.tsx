/** Charts that are also tables: bars, curves, comparisons and heat maps. */

import "./charts.css";

export { Bars, type Row } from "./Bars";
export { Compared } from "./Compared";
export { HeatMap } from "./HeatMap";
export { Lines, type Series } from "./Lines";
export { Legend } from "./signs";
export { amount, percent, points } from "./scales";
