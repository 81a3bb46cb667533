import { createSocket } from "node:dgram";
import { once } from "node:events";
import type { ControllerV1 } from "@capstan/contract/v1";
import { watched } from "@capstan/kit";
import { keyOf, keyText } from "@capstan/kube-values";
import type { Manager } from "@capstan/runtime";
import { Hardware } from "../api/hardware.ts";
import { hardwareIndex, type HardwareIndex } from "../hardware/hardware-index.ts";
import { standardPorts, type TinkerbellServices } from "../options.ts";
import { LineBudget } from "../syslog/line-budget.ts";
import { readSyslog } from "../syslog/message.ts";
import { listenFailed } from "./listen-failed.ts";

const name = "tinkerbell-syslog";

/**
 * Takes the log that machines send while they install, and writes it to the log of this process, with the Hardware that has the sender's
 * address; from other addresses nothing is taken. Nothing is answered.
 */
export const syslogService = (services: TinkerbellServices): ControllerV1 => ({
  name,
  permissions: { own: [watched(Hardware)] },
  attach: (manager: Manager) => {
    const listening = Promise.withResolvers<void>();
    let index: HardwareIndex | undefined;
    manager.addRunnable({
      name,
      prepare: () => {
        index = hardwareIndex(manager.cache);
      },
      run: async ({ signal }) => {
        const { address, listen = address, syslogPort: port = standardPorts.syslog } = services;
        const budget = new LineBudget(manager.clock);
        const socket = createSocket(listen.includes(":") ? "udp6" : "udp4");
        const failed = once(socket, "error").then(([error]) => {
          throw listenFailed("the receiver of system logs", `${listen}:${port}`, error as Error);
        });
        failed.catch(() => undefined);
        socket.on("message", (bytes, from) => {
          if (index !== undefined && manager.synced) take(bytes, from.address, { budget, index, manager });
        });
        socket.bind({ address: listen, port });
        await Promise.race([once(socket, "listening"), failed]);
        listening.resolve();
        try {
          if (!signal.aborted) await Promise.race([once(signal, "abort"), failed]);
        } finally {
          socket.close();
        }
      },
      started: () => listening.promise,
    });
  },
});

/** Lines of these severities are warnings in the log. */
const failures = ["emergency", "alert", "critical", "error"];

interface Receiver {
  readonly budget: LineBudget;
  readonly index: HardwareIndex;
  readonly manager: Manager;
}

const take = (bytes: Buffer, address: string, { budget, index, manager }: Receiver): void => {
  const found = index.ofAddress(address);
  const message = "hardware" in found ? readSyslog(bytes) : undefined;
  if (message === undefined || !("hardware" in found)) return;
  const hardware = keyText(keyOf(found.hardware));
  const leftOut = budget.take(hardware);
  if (leftOut === undefined) return;
  if (leftOut > 0) manager.log.warn("lines of a machine's log were left out", { hardware, lines: leftOut });
  const { program, severity, text } = message;
  const isFailure = failures.includes(severity);
  manager.log[isFailure ? "warn" : "info"](text, {
    hardware,
    machineSeverity: severity,
    ...(program !== undefined && { program }),
  });
};
