export { compositeDocument } from "./render/composite-document.ts";
