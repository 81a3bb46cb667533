/** Runs in namespaces of its own, whose folders are empty: puts the machine of a scenario there and calls kubeadm on it. */
import { execFile } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname } from "node:path";
import { serveRuntime } from "./runtime-server.ts";
import { kubeletEnabled, nodeName, resolver, type Scenario, socket } from "./scenario.ts";

const [, , folder = "", kubeadm = "", tracer = ""] = process.argv;
const scenario = JSON.parse(readFileSync(`${folder}/scenario.json`, "utf8")) as Scenario & { readonly kubelet: string };

const place = (path: string, content: string, mode = 0o644): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content, { mode });
};

const services = scenario.services ?? kubeletEnabled;
const systemctl = `#!/bin/sh
case "$1 $2" in
${Object.entries(services)
  .map(
    ([name, { enabled, running }]) => `"status ${name}") echo "Loaded: loaded"; exit 0 ;;
"is-enabled ${name}") exit ${enabled ? 0 : 1} ;;
"is-active ${name}") echo ${running ? "active" : "inactive"}; exit ${running ? 0 : 3} ;;`,
  )
  .join("\n")}
esac
echo "Unit $2.service could not be found."
exit 4
`;

const programs = "/run/programs";
const stubs = { kubelet: `#!/bin/sh\necho "Kubernetes ${scenario.kubelet}"\n`, systemctl };
const tools = ["losetup", "mount", "cp", "ip", "iptables", "nsenter", "conntrack", "ethtool", "tc", "touch", "crictl"];
for (const [name, script] of Object.entries({
  ...Object.fromEntries(tools.map((name) => [name, "#!/bin/sh\n"])),
  ...stubs,
})) {
  if (scenario.without?.includes(name) !== true) place(`${programs}/${name}`, script, 0o755);
}
place("/etc/resolv.conf", `nameserver ${resolver}\n`);
place("/etc/hosts", `127.0.0.1 localhost${scenario.hasName === false ? "" : ` ${nodeName}`}\n`);
place("/run/kubeadm.yaml", scenario.configuration);
for (const path of scenario.files ?? []) place(path, "");

// Answers every question with the failure that systemd-resolved has for names without a dot.
const names = createSocket("udp4");
names.on("message", (question, from) => {
  question.writeUInt16BE(0x8182, 2);
  names.send(question, from.port, from.address);
});
names.bind(53, resolver);
await once(names, "listening");
for (const port of scenario.ports ?? []) await once(createServer().listen(port), "listening");
mkdirSync(dirname(socket.replace("/var", "")), { recursive: true });
const { runtime = "ready" } = scenario;
if (runtime !== "missing") await serveRuntime(socket.replace("/var", ""), runtime);

const call = [
  kubeadm,
  scenario.command,
  "phase",
  "preflight",
  "--config",
  "/run/kubeadm.yaml",
  ...(scenario.args ?? []),
];
const traced = scenario.memoryMB === undefined ? call : [tracer, String(scenario.memoryMB), ...call];
const limited = scenario.cpus === 1 ? [`${folder}/taskset`, "-c", "0", ...traced] : traced;
execFile(limited[0] ?? "", limited.slice(1), { env: { PATH: programs }, timeout: 30_000 }, (_error, stdout, stderr) => {
  process.stdout.write(JSON.stringify({ stdout, stderr }));
  process.exit();
});
