import { isDnsLabel, keyOf, keyText, parseDurationMs, selects } from "@capstan/kube-values";
import { expect, it } from "vitest";

const machine = { metadata: { namespace: "team", name: "orchid-0", labels: { tier: "front" } } };

it("the README's examples give what their comments say", () => {
  const key = keyText(keyOf(machine)); // "team/orchid-0"
  const isSelected = selects({ matchLabels: { tier: "front" } }, machine.metadata.labels); // true
  const milliseconds = parseDurationMs("1h30m"); // 5_400_000
  const isLabel = isDnsLabel("orchid-0"); // true
  expect([key, isSelected, milliseconds, isLabel]).toEqual(["team/orchid-0", true, 5_400_000, true]);
});
