import { existsSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import type { Server } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join, resolve as absolute } from "node:path";
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

/**
 * Claims `wanted`, or a free block if that is 0, by listening on the block's last port at its first address. One that is kept for a
 * state is taken when there is no other. Throws `<simulator>.simulator_addresses`.
 */
export const claimBlock = async (wanted: number, random: Random, simulator: string): Promise<LoopbackBlock> => {
  const start = Math.floor(random.next() * blocks);
  for (const block of wanted === 0 ? inOrder(start) : [wanted]) {
    const claim = await listen(`127.${block}.0.0`);
    if (claim !== undefined) return { block, release: () => close(claim) };
  }
  throw new CapstanError({
    code: `${simulator}.simulator_addresses`,
    reason: "NoLoopbackAddresses",
    message:
      wanted === 0
        ? "No block of loopback addresses is free: the simulator needs one of 127.16.0.0/16 to 127.254.0.0/16."
        : `The loopback addresses 127.${wanted}.0.0/16 are in use: is another simulator running with the same state file?`,
    retry: { kind: "never" },
  });
};

const inOrder = (start: number): readonly number[] => {
  const all = Array.from({ length: blocks }, (_, index) => firstBlock + ((start + index) % blocks));
  return [...all.filter((block) => !isKept(block)), ...all.filter(isKept)];
};

/** Links by the number of a block to the state files that hold it: also while no simulator runs, no one else is to take its addresses. */
const notes = join(tmpdir(), `capstan-simulators-${userInfo().uid}`);

const isKept = (block: number): boolean => existsSync(join(notes, String(block)));

/** Keeps the block for a simulator that continues with the state in `file`, as long as there is this file. */
export const keepBlock = (block: number, file: string): void => {
  if (isKept(block)) return;
  try {
    mkdirSync(notes, { recursive: true });
    rmSync(join(notes, String(block)), { force: true });
    symlinkSync(absolute(file), join(notes, String(block)));
  } catch {
    // Without a note the block is claimed like any other.
  }
};

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
