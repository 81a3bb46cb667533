import { parentPort, workerData } from "node:worker_threads";
import { Agent, request } from "undici";
import { crowdPath } from "./crowd.ts";
import { benchToken } from "./subject.ts";

/** The watches of one user, in a thread of their own; says how many were answered, and how many of those were cut off or refused. */
const { url, watches } = workerData as { readonly url: string; readonly watches: number };
const agent = new Agent({
  connect: { rejectUnauthorized: false, timeout: 0 },
  bodyTimeout: 0,
  headersTimeout: 0,
});
const headers = {
  authorization: `Bearer ${benchToken}`,
  "impersonate-user": "crowd",
  "impersonate-group": "system:masters",
};
const seen = { answered: 0, ended: 0 };
const end = (): void => {
  seen.ended++;
};
const open = async (): Promise<void> => {
  const { body } = await request(`${url}${crowdPath}?watch=true`, { dispatcher: agent, headers });
  seen.answered++;
  body.on("error", end);
  body.resume();
};
for (let index = 0; index < watches; index++) void open().catch(end);
parentPort?.on("message", () => parentPort?.postMessage(seen));
