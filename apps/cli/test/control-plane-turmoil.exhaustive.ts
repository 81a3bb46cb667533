import { describe, it } from "vitest";
import { seeds, Turmoil } from "./control-plane-turmoil.ts";

const clusters = 12;
const roundsOfEach = 10;

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
});
