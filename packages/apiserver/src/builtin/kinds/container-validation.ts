import { between, type Causes, dnsLabel, forbidden, invalid, notFound, oneOf, required, unique } from "./causes.ts";
import { portName, portNumberOrName, protocol } from "./names.ts";
import { listOf, type Part, partOf, textOf } from "./object-parts.ts";
import { resourcesCauses } from "./resources-validation.ts";
import { pathCauses } from "./volume-validation.ts";

/** Largest user and group id. */
const largestId = 2_147_483_647;
const portMost = 65_535;

const isSet = (value: unknown): boolean => value !== undefined && value !== null;

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

const fieldPaths = [
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "spec.nodeName",
  "spec.serviceAccountName",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
];

const fieldPathCauses = (field: string, path: unknown): Causes =>
  path === undefined ||
  path === "" ||
  fieldPaths.includes(String(path)) ||
  /^metadata\.(labels|annotations)/.test(String(path))
    ? []
    : [invalid(field, path, "the field is not offered to environment variables")];

const keyCauses = (field: string, key: unknown): Causes =>
  key === undefined || key === "" || /^[-._a-zA-Z0-9]{1,253}$/.test(String(key))
    ? []
    : [invalid(field, key, "a valid config key must consist of alphanumeric characters, '-', '_' or '.'")];

const envCauses = (value: unknown, field: string): Causes => {
  const { name, value: text, valueFrom } = partOf(value);
  const source = partOf(valueFrom);
  const sources = Object.values(source).filter(isSet).length;
  const isAmbiguous = isSet(valueFrom) && (sources !== 1 || textOf(text) !== "");
  return [
    ...(textOf(name) === "" || /^[\x20-\x3c\x3e-\x7e]+$/.test(textOf(name))
      ? []
      : [invalid(`${field}.name`, name, "must consist of printable ASCII characters other than '='")]),
    ...(isAmbiguous ? [invalid(`${field}.valueFrom`, "", "must specify one source, and no `value` beside it")] : []),
    ...fieldPathCauses(`${field}.valueFrom.fieldRef.fieldPath`, partOf(source["fieldRef"])["fieldPath"]),
    ...["configMapKeyRef", "secretKeyRef"].flatMap((kind) =>
      keyCauses(`${field}.valueFrom.${kind}.key`, partOf(source[kind])["key"]),
    ),
  ];
};

const envFromCauses = (value: unknown, field: string): Causes => {
  const { configMapRef, secretRef } = partOf(value);
  return isSet(configMapRef) === isSet(secretRef)
    ? [invalid(field, "", "must specify one of: `configMapRef` or `secretRef`")]
    : [];
};

const mountsCauses = (mounts: readonly unknown[], field: string, volumes: ReadonlySet<string>): Causes => {
  const paths = mounts.map((mount) => textOf(partOf(mount)["mountPath"]));
  return mounts.flatMap((value, index) => {
    const { name, subPath, subPathExpr } = partOf(value);
    const path = paths[index] ?? "";
    return [
      ...(textOf(name) === "" || volumes.has(textOf(name)) ? [] : [notFound(`${field}[${index}].name`, name)]),
      ...(path !== "" && paths.indexOf(path) < index
        ? [invalid(`${field}[${index}].mountPath`, path, "must be unique")]
        : []),
      ...pathCauses(`${field}.subPath`, subPath),
      ...pathCauses(`${field}.subPathExpr`, subPathExpr),
    ];
  });
};

const httpCauses = (value: unknown, field: string): Causes => {
  const { port, scheme } = partOf(value);
  return [...portNumberOrName(`${field}.port`, port), ...oneOf(`${field}.scheme`, scheme, ["HTTP", "HTTPS"])];
};

const commandCauses = (value: unknown, field: string): Causes =>
  listOf(partOf(value)["command"]).length === 0 ? [required(`${field}.command`)] : [];

const handlers: Readonly<Record<string, (value: unknown, field: string) => Causes>> = {
  exec: commandCauses,
  httpGet: httpCauses,
  tcpSocket: (value, field) => portNumberOrName(`${field}.port`, partOf(value)["port"]),
  grpc: (value, field) => between(`${field}.port`, partOf(value)["port"], 1, portMost),
  sleep: (value, field) => between(`${field}.seconds`, partOf(value)["seconds"], 0),
};

/** One handler is needed, of those that are given the first counts. */
const handlerCauses = (value: Part, field: string): Causes => {
  const [first, ...more] = Object.keys(handlers).filter((name) => isSet(value[name]));
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
  const { successThreshold } = probe;
  return [
    ...handlerCauses(probe, at),
    ...probeNumbers.flatMap((number) => between(`${at}.${number}`, probe[number], 0)),
    ...(name !== "readinessProbe" && typeof successThreshold === "number" && successThreshold > 1
      ? [invalid(`${at}.successThreshold`, successThreshold, "must be 1")]
      : []),
  ];
};

const probes = ["livenessProbe", "readinessProbe", "startupProbe"];

const lifecycleCauses = (lifecycle: unknown, field: string): Causes =>
  ["postStart", "preStop"].flatMap((name) =>
    isSet(partOf(lifecycle)[name]) ? handlerCauses(partOf(partOf(lifecycle)[name]), `${field}.${name}`) : [],
  );

/** Users and groups of a Pod or container. */
export const idCauses = (context: unknown, field: string): Causes =>
  ["runAsUser", "runAsGroup", "fsGroup"].flatMap((name) =>
    between(`${field}.${name}`, partOf(context)[name], 0, largestId),
  );

const securityCauses = (context: unknown, field: string): Causes => {
  const { privileged, allowPrivilegeEscalation } = partOf(context);
  return [
    ...idCauses(context, field),
    ...(privileged === true && allowPrivilegeEscalation === false
      ? [invalid(field, "", "cannot set `allowPrivilegeEscalation` to false and `privileged` to true")]
      : []),
  ];
};

/** A container that ends before the others start is not probed and has no lifecycle. */
const shortLivedCauses = (container: Part, field: string): Causes =>
  ["lifecycle", ...probes]
    .filter((name) => isSet(container[name]))
    .map((name) => forbidden(`${field}.${name}`, "may not be set for init containers without restartPolicy=Always"));

/** Causes of one container. */
export const containerCauses = (
  container: Part,
  field: string,
  { list, volumes }: { readonly list: string; readonly volumes: ReadonlySet<string> },
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
    ...listOf(container["env"]).flatMap((value, index) => envCauses(value, `${field}.env[${index}]`)),
    ...listOf(container["envFrom"]).flatMap((value) => envFromCauses(value, `${field}.envFrom`)),
    ...mountsCauses(listOf(container["volumeMounts"]), `${field}.volumeMounts`, volumes),
    ...resourcesCauses(container["resources"], `${field}.resources`),
    ...(isShortLived
      ? shortLivedCauses(container, field)
      : [
          ...probes.flatMap((probe) => probeCauses(container, probe, field)),
          ...lifecycleCauses(container["lifecycle"], `${field}.lifecycle`),
        ]),
    ...securityCauses(container["securityContext"], `${field}.securityContext`),
  ];
};
