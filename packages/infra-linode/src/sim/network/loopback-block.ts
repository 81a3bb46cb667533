import { createServer } from "node:net";
import type { Server } from "node:net";
import { CapstanError } from "@capstan/contract";
import type { Random } from "@capstan/contract";

const claimPort = 65_535;
const firstBlock = 16;
const blocks = 239;

/** A block `127.<n>.0.0/16` that is this simulator's alone as long as it runs, also among processes. */
export interface LoopbackBlock {
  readonly block: number;
  release(): Promise<void>;
}

/** Claims `wanted`, or a free block if that is 0, by listening on the block's last port at its first address. */
export const claimBlock = async (wanted: number, random: Random): Promise<LoopbackBlock> => {
  const start = Math.floor(random.next() * blocks);
  const candidates = wanted === 0 ? Array.from({ length: blocks }, (_, index) => nth(start + index)) : [wanted];
  for (const block of candidates) {
    const claim = await listen(`127.${block}.0.0`);
    if (claim !== undefined) return { block, release: () => close(claim) };
  }
  throw new CapstanError({
    code: "linode.simulator_addresses",
    reason: "NoLoopbackAddresses",
    message:
      wanted === 0
        ? "No block of loopback addresses is free: the simulator needs one of 127.16.0.0/16 to 127.254.0.0/16."
        : `The loopback addresses 127.${wanted}.0.0/16 are in use: is another simulator running with the same state file?`,
    retry: { kind: "never" },
  });
};

const nth = (index: number): number => firstBlock + (index % blocks);

const listen = (address: string): Promise<Server | undefined> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(undefined));
    server.listen(claimPort, address, () => resolve(server.unref()));
  });

const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
  });

/** The n-th host address of a block, counted from 1. */
export const hostAddress = (block: number, host: number): string =>
  `127.${block}.${Math.floor(host / 254)}.${(host % 254) + 1}`;
