import type { Reading } from "./extension-check.ts";
import { vmOf } from "./extension-check.ts";

/** What the machine printed on its serial console, where its boot diagnostics keep that. */
export const consoleLog = async (reading: Reading): Promise<string | undefined> => {
  const { api, call, object } = reading;
  if (object.spec?.diagnostics?.boot?.storageAccountType === "Disabled") return undefined;
  return api.bootLog(vmOf(reading), call);
};
