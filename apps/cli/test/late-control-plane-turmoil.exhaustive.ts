import { describe, it } from "vitest";
import { seeds, Turmoil } from "./control-plane-turmoil.ts";

const lateClusters = 4;
const sharingClusters = 2;
const roundsOfEach = 10;

describe("a control plane keeps its etcd and leaves no Node although servers come up ten minutes late", () => {
  it.each(seeds(14, lateClusters))(
    "seed %i",
    async (seed) => {
      await using turmoil = await Turmoil.start(seed, { late: true });
      for (let rounds = 0; rounds < roundsOfEach; rounds += 1) await turmoil.round();
      await turmoil.end();
    },
    1_800_000,
  );

  it.each(seeds(14 + lateClusters, sharingClusters))(
    "seed %i, with one token for all servers",
    async (seed) => {
      await using turmoil = await Turmoil.start(seed, { late: true, sharesToken: true });
      for (let rounds = 0; rounds < roundsOfEach; rounds += 1) await turmoil.round();
      await turmoil.end();
    },
    1_800_000,
  );
});
