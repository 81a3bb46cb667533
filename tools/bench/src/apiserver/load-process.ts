import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { LoadRequest } from "./load.ts";

/** A load generator in a process of its own, so that it does not share an event loop with a server. */
export interface LoadProcess {
  /** Throws what the load generator throws. */
  ask(request: LoadRequest): Promise<unknown>;
  end(): void;
}

export const startLoad = (): LoadProcess => {
  const child = fork(join(import.meta.dirname, "load.ts"), { execArgv: ["--conditions=@capstan/source"] });
  return {
    ask: async (request) => {
      child.send(request);
      const [answer] = (await once(child, "message")) as [{ readonly result?: unknown; readonly error?: string }];
      if (answer.error !== undefined) {
        throw new Error(answer.error);
      }
      return answer.result;
    },
    end: () => {
      child.kill();
    },
  };
};
