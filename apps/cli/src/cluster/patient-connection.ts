import { isCapstanError } from "@capstan/contract";
import type { Connection } from "@capstan/kube";
import type { View } from "../view/view.ts";

const attempts = 5;
const pauseMs = 1_000;

/** The API server is there, and was too busy to answer: the connection broke, or did not come up in time. */
const isBusy = (error: unknown): boolean =>
  isCapstanError(error, "kube.timeout") ||
  (isCapstanError(error, "kube.unavailable") && error.details["reset"] === true);

/**
 * The connection for what is done once, before controllers retry by themselves: where a busy API server gave no answer, the request is
 * sent again, up to five times, with a line about it. Only for requests that may take effect twice, such as applying and asking.
 */
export const patientConnection = (connection: Connection, view: View): Connection => ({
  url: connection.url,
  clock: connection.clock,
  open: (request) => connection.open(request),
  upgrade: (request) => connection.upgrade(request),
  close: () => connection.close(),
  send: async (request) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await connection.send(request);
      } catch (error) {
        if (attempt === attempts || request.signal?.aborted === true || !isBusy(error)) throw error;
        view.say({ type: "waiting", text: `${(error as Error).message}; retrying`, fields: { attempt } });
        await connection.clock.sleep(pauseMs, request.signal === undefined ? {} : { signal: request.signal });
      }
    }
  },
});
