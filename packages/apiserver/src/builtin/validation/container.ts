import {
  between,
  type Causes,
  dnsLabel,
  duplicate,
  forbidden,
  invalid,
  notFound,
  oneOf,
  required,
  unique,
} from "./causes.ts";
import { bulkSourceCauses, variableCauses } from "./env.ts";
import { mountCauses, type Volumes } from "./mount.ts";
import { portName, portNumberOrName, protocol } from "./names.ts";
import { isSet, listOf, type Part, partOf, textOf } from "../../values/object-parts.ts";
import { resourcesCauses } from "./resources.ts";
import { containerSecurityCauses } from "./security.ts";

const portMost = 65_535;

const portCauses = (value: unknown, field: string): Causes => {
  const { containerPort, hostPort, name, protocol: given } = partOf(value);
  return [
    ...((containerPort ?? 0) === 0
      ? [required(`${field}.containerPort`)]
      : between(`${field}.containerPort`, containerPort, 1, portMost)),
    ...between(`${field}.hostPort`, hostPort, 0, portMost),
    ...protocol(`${field}.protocol`, given),
    ...portName(`${field}.name`, name),
  ];
};

const portsCauses = (ports: readonly unknown[], field: string): Causes => [
  ...ports.flatMap((port, index) => portCauses(port, `${field}[${index}]`)),
  ...unique(
    ports,
    (port) => partOf(port)["name"],
    (index) => `${field}[${index}].name`,
  ),
];

const headerCauses = (name: unknown, field: string): Causes =>
  textOf(name) === "" || /^[-A-Za-z0-9]+$/.test(textOf(name))
    ? []
    : [invalid(field, name, "a valid HTTP header must consist of alphanumeric characters or '-'")];

const httpCauses = (value: unknown, field: string): Causes => {
  const { port, scheme, httpHeaders } = partOf(value);
  return [
    ...portNumberOrName(`${field}.port`, port),
    ...oneOf(`${field}.scheme`, scheme, ["HTTP", "HTTPS"]),
    ...listOf(httpHeaders).flatMap((header) => headerCauses(partOf(header)["name"], `${field}.httpHeaders`)),
  ];
};

const commandCauses = (value: unknown, field: string): Causes =>
  listOf(partOf(value)["command"]).length === 0 ? [required(`${field}.command`)] : [];

const handlers: Readonly<Record<string, (value: unknown, field: string) => Causes>> = {
  exec: commandCauses,
  httpGet: httpCauses,
  tcpSocket: (value, field) => portNumberOrName(`${field}.port`, partOf(value)["port"]),
  grpc: (value, field) => between(`${field}.port`, partOf(value)["port"], 1, portMost),
};

/** Returns the causes for a lifecycle handler that sleeps longer than the termination grace period of its Pod. */
const sleepCauses = (handler: Part, field: string, spec: Part): Causes => {
  const { terminationGracePeriodSeconds: grace } = spec;
  return between(
    `${field}.sleep`,
    partOf(handler["sleep"])["seconds"],
    0,
    typeof grace === "number" ? grace : Infinity,
  );
};

/** One handler is needed, of those that are given the first counts. */
const handlerCauses = (value: Part, field: string): Causes => {
  const [first, ...more] = [...Object.keys(handlers), "sleep"].filter((name) => isSet(value[name]));
  return first === undefined
    ? [required(field, "must specify a handler type")]
    : [
        ...(handlers[first]?.(value[first], `${field}.${first}`) ?? []),
        ...more.map((name) => forbidden(`${field}.${name}`, "may not specify more than 1 handler type")),
      ];
};

const probeNumbers = ["initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold"];

const probeCauses = (container: Part, name: string, field: string): Causes => {
  if (!isSet(container[name])) {
    return [];
  }
  const probe = partOf(container[name]);
  const at = `${field}.${name}`;
  const { successThreshold, terminationGracePeriodSeconds: grace } = probe;
  return [
    ...handlerCauses(probe, at),
    ...probeNumbers.flatMap((number) => between(`${at}.${number}`, probe[number], 0)),
    ...(name !== "readinessProbe" && typeof successThreshold === "number" && successThreshold > 1
      ? [invalid(`${at}.successThreshold`, successThreshold, "must be 1")]
      : []),
    ...(name === "readinessProbe" && isSet(grace)
      ? [invalid(`${at}.terminationGracePeriodSeconds`, grace, "must not be set for readinessProbes")]
      : between(`${at}.terminationGracePeriodSeconds`, grace, 1)),
  ];
};

const probes = ["livenessProbe", "readinessProbe", "startupProbe"];

const lifecycleCauses = (lifecycle: unknown, field: string, spec: Part): Causes =>
  ["postStart", "preStop"].flatMap((name) => {
    const handler = partOf(partOf(lifecycle)[name]);
    const at = `${field}.${name}`;
    return isSet(partOf(lifecycle)[name]) ? [...handlerCauses(handler, at), ...sleepCauses(handler, at, spec)] : [];
  });

const restartCauses = ({ restartPolicy, restartPolicyRules }: Part, field: string): Causes => [
  ...oneOf(`${field}.restartPolicy`, restartPolicy, ["Always", "Never", "OnFailure"]),
  ...(listOf(restartPolicyRules).length > 0 && !isSet(restartPolicy)
    ? [required(`${field}.restartPolicy`, "must specify restartPolicy when restart rules are used")]
    : []),
];

/** Causes of what a container does when its resources change. */
const resizeCauses = (policies: readonly unknown[], field: string): Causes => {
  const seen = new Set<unknown>();
  return policies.flatMap((value, index) => {
    const { resourceName, restartPolicy } = partOf(value);
    const isKnown = seen.has(resourceName);
    seen.add(resourceName);
    return [
      ...(isKnown ? [duplicate(`${field}[${index}]`, resourceName)] : []),
      ...oneOf(field, resourceName, ["cpu", "memory"]),
      ...oneOf(field, restartPolicy, ["NotRequired", "RestartContainer"]),
    ];
  });
};

/** A container gets devices by the names that its Pod gives to its claims. */
const claimsCauses = (container: Part, field: string, claims: ReadonlySet<unknown>): Causes =>
  listOf(partOf(container["resources"])["claims"]).flatMap((claim, index) =>
    claims.has(partOf(claim)["name"]) ? [] : [notFound(`${field}.resources.claims[${index}]`, partOf(claim)["name"])],
  );

/** A container that ends before the others start is not probed and has no lifecycle. */
const shortLivedCauses = (container: Part, field: string): Causes =>
  ["lifecycle", ...probes]
    .filter((name) => isSet(container[name]))
    .map((name) => forbidden(`${field}.${name}`, "may not be set for init containers without restartPolicy=Always"));

/** The Pod of a container, with what its containers name. */
export interface Surroundings {
  readonly spec: Part;
  readonly volumes: Volumes;
  /** Names of its claims of devices. */
  readonly claims: ReadonlySet<unknown>;
}

/** Causes of one container in a list of its Pod. */
export const containerCauses = (
  container: Part,
  field: string,
  list: string,
  { spec, volumes, claims }: Surroundings,
): Causes => {
  const { name, image } = container;
  const isShortLived = list === "initContainers" && container["restartPolicy"] !== "Always";
  return [
    ...(textOf(name) === "" ? [required(`${field}.name`)] : dnsLabel(`${field}.name`, name)),
    ...(textOf(image) === "" ? [required(`${field}.image`)] : []),
    ...(textOf(image) === textOf(image).trim()
      ? []
      : [invalid(`${field}.image`, image, "must not have leading or trailing whitespace")]),
    ...oneOf(`${field}.imagePullPolicy`, container["imagePullPolicy"], ["Always", "IfNotPresent", "Never"]),
    ...oneOf(`${field}.terminationMessagePolicy`, container["terminationMessagePolicy"], [
      "File",
      "FallbackToLogsOnError",
    ]),
    ...portsCauses(listOf(container["ports"]), `${field}.ports`),
    ...listOf(container["env"]).flatMap((value, index) => variableCauses(value, `${field}.env[${index}]`)),
    ...listOf(container["envFrom"]).flatMap((value, index) => bulkSourceCauses(value, index, `${field}.envFrom`)),
    ...mountCauses(container, field, volumes),
    ...restartCauses(container, field),
    ...resizeCauses(listOf(container["resizePolicy"]), `${field}.resizePolicy`),
    ...claimsCauses(container, field, claims),
    ...resourcesCauses(container["resources"], `${field}.resources`),
    ...(isShortLived
      ? shortLivedCauses(container, field)
      : [
          ...probes.flatMap((probe) => probeCauses(container, probe, field)),
          ...lifecycleCauses(container["lifecycle"], `${field}.lifecycle`, spec),
        ]),
    ...containerSecurityCauses(container["securityContext"], `${field}.securityContext`, spec),
  ];
};
