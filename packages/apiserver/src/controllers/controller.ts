import type { Extension, ExtensionEnvironment } from "../registry/extension.ts";
import { KeyedWorker } from "./keyed-worker.ts";

/** Definition of one controller, which chooses its own keys. */
export interface ControllerParts {
  readonly name: string;
  /** Begins to watch; called at start. Gives the functions that end it. */
  readonly watch: (add: (key: string) => void) => readonly (() => void)[];
  /** Makes things right for one key; may be called again at any time. */
  readonly reconcile: (key: string) => Promise<void>;
}

/** A controller as a part of the server. */
export const controller = (
  environment: ExtensionEnvironment,
  { name, watch, reconcile }: ControllerParts,
): Extension => {
  const worker = new KeyedWorker<string>({ ...environment, name, reconcile });
  let stops: readonly (() => void)[] = [];
  return {
    name,
    start: () => {
      stops = watch((key) => worker.add(key));
    },
    stop: async () => {
      for (const stop of stops) stop();
      await worker.stop();
    },
  };
};
