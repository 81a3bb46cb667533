import { describe, expect, it } from "vitest";
import { machineName } from "./machine-name.ts";

const defaultMachineNaming = "{{ .machineSet.name }}-{{ .random }}";
const random = { next: () => 0, bytes: (length: number) => new Uint8Array(length) };
const variables = (name: string) => ({ ".machineSet.name": name, ".cluster.name": "prod" });

describe("machineName", () => {
  it.each([
    [defaultMachineNaming, "web", "web-bbbbb"],
    ["{{.cluster.name}}-{{ .machineSet.name }}-{{- .random -}}", "web", "prod-web-bbbbb"],
    ["node-{{ .random }}", "web", "node-bbbbb"],
    [defaultMachineNaming, "w".repeat(60), `${"w".repeat(58)}bbbbb`],
  ])("from %j", (template, set, expected) => {
    expect(machineName(template, variables(set), random)).toBe(expected);
  });

  it.each([
    ["{{ .machineSet.name }}", "lacks {{ .random }}"],
    ["{{ .machineSet.uid }}-{{ .random }}", 'refers to ".machineSet.uid"'],
    ["{{ if true }}-{{ .random }}", 'refers to "if true"'],
    ["Web_{{ .random }}", "is not a valid object name"],
  ])("refuses %j", (template, message) => {
    expect(() => machineName(template, variables("web"), random)).toThrow(message);
  });
});
