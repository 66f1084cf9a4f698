// Starts the page. All styles come at once: a part that is fetched later brings only its script.
import { render } from "preact";
import "./design/fonts.css";
import "./design/tokens.css";
import "./design/base.css";
import "./design/pieces.css";
import "./design/screens.css";
import "./design/table.css";
import "./design/cards.css";
import "./design/stage.css";
import "./design/sheets.css";
import "./dice/dice.css";
import "./charts/charts.css";
import "./panel/panel.css";
import "./justroll/justroll.css";
import "./explore/explore.css";
import "./workbench/workbench.css";
import "./table/coming.css";
import "./overlay/overlay.css";
import { addressOf } from "./app/base";
import { applySettings } from "./app/settings";
import { App } from "./app/App";
import { keepFocus } from "./ui/focus";

keepFocus();
await applySettings(); // a page in the reader's language asks for its games in that one
render(<App />, document.getElementById("page")!);
if ("serviceWorker" in navigator && isSecureContext)
  addEventListener("load", () => void navigator.serviceWorker.register(addressOf("/worker.js")).catch(() => {}));
