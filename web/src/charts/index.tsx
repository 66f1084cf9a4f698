/** Charts that are also tables: bars, curves, comparisons and heat maps. */

import "./charts.css";

export { Bars, type Row } from "./Bars";
export { ComparisonChart as Compared } from "./ComparisonChart";
export { HeatMap } from "./HeatMap";
export { Lines, type Series } from "./Lines";
export { Legend } from "./series_marks";
export { amount, percent, points } from "./scales";
