// Starts the page. All styles come at once: a part that is fetched later brings only its script.
import { render } from "preact";
import "./design/tokens.css";
import "./design/base.css";
import "./design/pieces.css";
import "./design/screens.css";
import "./design/table.css";
import "./design/cards.css";
import "./design/sheets.css";
import "./dice/dice.css";
import "./charts/charts.css";
import "./panel/panel.css";
import "./justroll/justroll.css";
import "./explore/explore.css";
import "./table/coming.css";
import { addressOf } from "./app/base";
import { applySettings } from "./app/settings";
import { App } from "./app/shell";
import { keepFocus } from "./ui/focus";

applySettings();
keepFocus();
render(<App />, document.getElementById("page")!);
if ("serviceWorker" in navigator && isSecureContext) addEventListener("load", () => void navigator.serviceWorker.register(addressOf("/worker.js")).catch(() => {}));
