import type { LogLine } from "@capstan/apiserver";
import type { Container, PodObject } from "../kinds/workload-kinds.ts";

/** Returns the start-up lines of a program; `time` is their time. */
type Program = (time: Date, container: Container) => readonly string[];

const klog = (time: Date, severity: "E" | "I", source: string, message: string): string => {
  const [day = "", clock = ""] = time.toISOString().slice(5, -1).split("T");
  return `${severity}${day.replace("-", "")} ${clock}000       1 ${source}] ${message}`;
};

const servesAt =
  (address: string): Program =>
  (time) => [klog(time, "I", "secure_serving.go:211", `Serving securely on ${address}`)];

const leads =
  (address: string): Program =>
  (time, container) => [
    ...servesAt(address)(time, container),
    klog(time, "I", "leaderelection.go:271", `"Successfully acquired lease" lock="kube-system/${container.name}"`),
  ];

/** Start-up lines of programs that the model plays, by the last part of their image's name. */
const programs: Readonly<Record<string, Program>> = {
  etcd: (time) => [
    JSON.stringify({
      level: "info",
      ts: time.toISOString(),
      caller: "embed/serve.go:275",
      msg: "serving client traffic securely",
      traffic: "grpc+http",
      address: "[::]:2379",
    }),
  ],
  "kube-apiserver": servesAt("[::]:6443"),
  "kube-controller-manager": leads("127.0.0.1:10257"),
  "kube-scheduler": leads("127.0.0.1:10259"),
  coredns: () => [".:53"],
};

const unknown: Program = (_time, { image }) => [
  `${image} does not run here: simulated machines keep the state of a container and run no process, so it writes no log`,
];

const programOf = ({ image }: Container): Program => {
  const name = (image.split("/").at(-1) ?? "").split(/[:@]/, 1)[0] ?? "";
  return Object.hasOwn(programs, name) ? (programs[name] as Program) : unknown;
};

/**
 * Returns the log of a container of a Pod according to its state: the start-up lines of its program, and the reason it ended. With
 * `previous`, returns the log before its last restart.
 */
export const containerLog = (
  { spec, status }: PodObject,
  { name, previous }: { readonly name: string; readonly previous: boolean },
): readonly LogLine[] => {
  const container = [...(spec.initContainers ?? []), ...spec.containers].find((each) => each.name === name);
  const seen = status?.containerStatuses?.find((each) => each.name === name);
  if (container === undefined || seen === undefined) return [];
  const { running, terminated = seen.lastState?.terminated } = seen.state ?? {};
  const ended = previous ? seen.lastState?.terminated : running === undefined ? terminated : undefined;
  const startedAt = previous ? ended?.startedAt : (running ?? ended)?.startedAt;
  const time = new Date(startedAt ?? ended?.finishedAt ?? 0);
  const lines = programOf(container)(time, container).map((text) => ({ time: time.getTime(), text }));
  if (ended?.message === undefined) return lines;
  const finished = new Date(ended.finishedAt ?? time);
  return [...lines, { time: finished.getTime(), text: klog(finished, "E", "main.go:1", ended.message) }];
};
