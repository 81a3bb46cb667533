import { expect, it } from "vitest";
import { lineView } from "../view/view.ts";
import { heldLines } from "./held-lines.ts";

it("says warnings at once, the rest in order once it is released, and from then on everything", () => {
  const lines: string[] = [];
  const held = heldLines(lineView({ write: (text) => void lines.push(text) }));
  held.view.say({ type: "simulation", text: "first" });
  held.view.say({ type: "warning", text: "beware" });
  held.view.say({ type: "object-store", text: "second" });
  expect(lines).toEqual(["beware\n"]);
  held.release();
  held.view.say({ type: "apiserver", text: "third" });
  held.release();
  expect(lines).toEqual(["beware\n", "first\n", "second\n", "third\n"]);
});
