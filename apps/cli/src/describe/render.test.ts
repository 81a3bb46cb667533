import { expect, it } from "vitest";
import { lineView } from "../view/view.ts";
import { renderTree } from "./render.ts";
import type { TreeNode } from "@capstan/inspect";

const said = "lost\u001B]52;c;aGk=\u0007 \u001B[2Jgone\u009B1m\rover";
const controls = /(?!\n)\p{Cc}/u;

it("shows what objects say, and nothing in it that a terminal obeys", () => {
  const standing = {
    type: "Ready",
    status: "False",
    reason: said,
    message: `${said}\nnext`,
    since: undefined,
  } as const;
  const node = { role: "", kind: "Cluster", name: "prod", replicas: undefined, standing, conditions: [], children: [] };
  const text = renderTree(node as unknown as TreeNode, { now: 0, colour: false, showConditions: [] });
  expect(text).not.toMatch(controls);
  expect(text).toContain("lost");
  expect(text.split("\n").at(-2)?.trim()).toBe("next");
});

it("writes lines of progress in the same way", () => {
  let out = "";
  const view = lineView({ write: (text) => void (out += text) });
  view.say({ type: "warning", text: said });
  const row = { kind: "Machine", name: "a", namespace: "default", state: "Failed", detail: said, done: false };
  view.rows([row as never], [row as never]);
  expect(out).not.toMatch(controls);
  expect(out.trimEnd().split("\n")).toHaveLength(2);
});
