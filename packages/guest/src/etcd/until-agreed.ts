import type { Clock } from "@capstan/contract";
import { EtcdError } from "./etcd-cluster.ts";

/** Time for which the members may refuse, the default of kubeadm's `timeouts.etcdAPICall`, and the interval between attempts. */
const timeoutMs = 120_000;
const pollMs = 500;

/** Repeats what an etcd without a majority refuses. Throws what `failed` makes of the last refusal when it refuses too long. */
export const untilAgreed = async <T>(
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
  work: () => T,
  failed: (refusal: EtcdError) => Error,
): Promise<T> => {
  const deadline = clock.now() + timeoutMs;
  for (;;) {
    signal.throwIfAborted();
    try {
      return work();
    } catch (error) {
      if (!(error instanceof EtcdError)) throw error;
      if (clock.now() >= deadline || error.failure === "notFound") throw failed(error);
      await clock.sleep(pollMs, { signal });
    }
  }
};
