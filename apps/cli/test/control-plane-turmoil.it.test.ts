import { it } from "vitest";
import { Turmoil } from "./control-plane-turmoil.ts";

// `npm run test:exhaustive` takes many clusters, and does more to each.
it("a control plane keeps its etcd and leaves no Node whatever is edited, undone and deleted at whatever moment", async () => {
  await using turmoil = await Turmoil.start(1);
  for (let rounds = 0; rounds < 3; rounds += 1) await turmoil.round();
  await turmoil.end();
}, 300_000);
