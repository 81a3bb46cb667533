import { expect, it } from "vitest";
import { createProgram } from "../program.ts";
import { completeCommand } from "./completion-script.ts";
import { suggest, type ApiFlags, type Names } from "./suggest.ts";

const { root } = createProgram();
const asked: ApiFlags[] = [];
const names: Names = {
  kinds: () => Promise.resolve(["cluster", "clusters", "machine", "md"]),
  objects: (kind, flags) => {
    asked.push(flags);
    return Promise.resolve(kind.startsWith("cl") ? ["orchid", "rose"] : [`${kind}-1`, `${kind}-2`]);
  },
  namespaces: () => Promise.resolve(["default", "team"]),
  contexts: () => Promise.resolve(["home", "work"]),
  options: () =>
    Promise.resolve([
      { name: "acme.poll", type: "duration", help: "how often", default: "5s" },
      { name: "acme.report", type: "boolean", help: "whether" },
      { name: "acme.mode", type: "text", help: "how", choices: ["fast", "slow"] },
    ]),
};
const offered = async (line: string): Promise<readonly string[]> =>
  (await suggest(root, line.split(" "), names)).map(({ word, files }) => (files === true ? `${word}FILES` : word));

it.each([
  ["u", ["up", "uninstall"]],
  ["rollout re", ["restart", "resume"]],
  ["up --sim", ["--simulate"]],
  ["up --output ", ["text", "json"]],
  ["up --output = js", ["json"]],
  ["manager --set-option acme.", ["acme.poll=", "acme.report=", "acme.mode="]],
  ["manager --set-option=acme.r", ["--set-option=acme.report="]],
  ["install --set-option acme.mode=s", ["acme.mode=slow"]],
  ["up --set-option acme.report=", ["acme.report=true", "acme.report=false"]],
  ["up --output=j", ["--output=json"]],
  ["up -o j", ["json"]],
  ["new provider x --role boot", ["bootstrap"]],
  ["generate c", ["cluster"]],
  ["generate cluster x --infrastructure l", ["linode", "FILES"]],
  ["up --providers core,infra-l", ["core,infra-linode", "core,FILES"]],
  ["simulate l", ["linode", "FILES"]],
  ["plan -f ", ["FILES"]],
  ["up --data-dir ", ["FILES"]],
  ["describe cl", ["cluster", "clusters"]],
  ["describe cluster o", ["orchid"]],
  ["describe cluster/o", ["cluster/orchid"]],
  ["describe cluster x -n ", ["default", "team"]],
  ["describe cluster x --context w", ["work"]],
  ["get kubeconfig r", ["rose"]],
  ["logs machine ", ["machines-1", "machines-2"]],
  ["rollout restart ku", ["kubeadmcontrolplane/"]],
  [
    "rollout undo machinedeployment/",
    ["machinedeployment/machinedeployment-1", "machinedeployment/machinedeployment-2"],
  ],
  ["rollout undo md/x --to", ["--to-revision"]],
  ["completion z", ["zsh"]],
  ["up --timeout ", []],
  ["version x ", ["--output", "-o", "--help"]],
  ["nonsense x", []],
])("behind capstan %s", async (line, expected) => {
  expect(await offered(line)).toEqual(expected);
});

it("shows every command but the one that the scripts ask", async () => {
  const commands = await offered("");
  expect(commands).toContain("completion");
  expect(commands).not.toContain(completeCommand);
});

it("asks the management API that the flags name", async () => {
  asked.length = 0;
  await offered("describe --namespace team --data-dir=/d cluster ");
  expect(asked).toEqual([{ "--namespace": "team", "--data-dir": "/d" }]);
});
