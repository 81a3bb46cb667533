import { expect, it } from "vitest";
import { buildRoot, unavailable } from "./cloud-init-root.ts";
import { runScripts } from "./real-scripts.ts";
import { outcomes, scripts } from "./script-world.ts";

const reason = unavailable();
if (reason !== undefined) console.log(`scripts are not run on a real Debian: ${reason}`);

/** `../scripts.it.test.ts` holds the guest model to the same record. */
it.skipIf(reason !== undefined)(
  "scripts of bootstrap documents do on a real Debian what is recorded",
  async () => {
    expect(await runScripts(buildRoot(), scripts)).toEqual(outcomes);
  },
  900_000,
);
