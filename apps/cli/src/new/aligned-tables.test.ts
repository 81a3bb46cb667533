import { expect, it } from "vitest";
import { alignedTables } from "./aligned-tables.ts";

it("makes the columns of tables as wide as what stands in them", () => {
  const crooked =
    "Before.\n\n| kind      | spec       |\n| --------- | ---------- |\n| BigCloudMachine | a \\| b |\n\nAfter | that.\n";
  expect(alignedTables(crooked)).toBe(
    [
      "Before.",
      "",
      "| kind            | spec   |",
      "| --------------- | ------ |",
      "| BigCloudMachine | a \\| b |",
      "",
      "After | that.",
      "",
    ].join("\n"),
  );
});
