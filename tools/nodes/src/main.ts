import { prepareAssets, unavailable } from "./assets/prepare.ts";

const say = (line: string): void => console.error(`nodes: ${line}`);

const why = unavailable();
if (why === undefined) await prepareAssets(say);
else say(`real machines are skipped: ${why}`);
