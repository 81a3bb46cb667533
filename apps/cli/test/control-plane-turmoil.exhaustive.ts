import { describe, it } from "vitest";
import { Turmoil } from "./control-plane-turmoil.ts";

const clusters = 12;
const roundsOfEach = 10;
const lateClusters = 4;

const seeds = (from: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => index + from);

describe("a control plane keeps its etcd and leaves no Node whatever is edited, undone and deleted at whatever moment", () => {
  it.each(seeds(2, clusters))(
    "seed %i",
    async (seed) => {
      await using turmoil = await Turmoil.start(seed);
      for (let rounds = 0; rounds < roundsOfEach; rounds += 1) await turmoil.round();
      await turmoil.end();
    },
    1_800_000,
  );

  it.each(seeds(2 + clusters, lateClusters))(
    "seed %i, and servers come up ten minutes late",
    async (seed) => {
      await using turmoil = await Turmoil.start(seed, { late: true });
      for (let rounds = 0; rounds < roundsOfEach; rounds += 1) await turmoil.round();
      await turmoil.end();
    },
    1_800_000,
  );
});
