import type { KubeObject } from "@capstan/schema";

/** Writes Events: repeated ones are counted up in one object, bursts are limited, failures are logged and never thrown. */
export interface EventRecorder {
  event(
    about: KubeObject,
    event: {
      readonly type: "Normal" | "Warning";
      readonly reason: string;
      readonly message: string;
    },
  ): void;
  /** Resolves when everything recorded so far is written or given up. */
  flush(): Promise<void>;
}
