import { things } from "./hostile-definition.ts";
import {
  apply,
  configMaps,
  type HostileRequest,
  jsonPatch,
  list,
  map,
  merge,
  named,
  patch,
  post,
  strategic,
  thing,
  yaml,
} from "./hostile-request.ts";

/** Returns a MiB of keys, as many as Kubernetes takes, in an order other than that of the names. */
const manyKeys = (count: number, value: string): string => list(count, (i) => `"k${(i * 7_919) % count}":"${value}"`);

/** Every way of writing an object with so many keys. */
export const manyKeysRequests = (count: number): readonly HostileRequest[] => {
  const [name, said] = [`keys-${count}`, `${count.toLocaleString("en")} keys`];
  const path = `${configMaps}/${name}`;
  const data = (value: string): string => map(name, "", manyKeys(count, value));
  const anew = map(`${name}-applied`, "", manyKeys(count, "a"));
  return [
    post(`${said}, create`, configMaps, data("v")),
    { title: `${said}, replace`, method: "PUT", path, type: "application/json", body: data("w") },
    { title: `${said}, replace by the same`, method: "PUT", path, type: "application/json", body: data("w") },
    patch(`${said}, merge patch`, path, merge, `{"data":{${manyKeys(count, "x")}}}`),
    patch(`${said}, strategic patch`, path, strategic, `{"data":{${manyKeys(count, "y")}}}`),
    patch(`${said}, merge patch of one`, path, merge, '{"data":{"k1":"z"}}'),
    patch(`${said}, JSON patch`, path, jsonPatch, '[{"op":"replace","path":"/data/k2","value":"z"}]'),
    patch(`${said}, apply`, `${configMaps}/${name}-applied?fieldManager=m`, apply, anew),
    patch(
      `${said}, apply again`,
      `${configMaps}/${name}-applied?fieldManager=m`,
      apply,
      map(`${name}-applied`, "", manyKeys(count, "b")),
    ),
    patch(`${said}, another applier's conflict`, `${configMaps}/${name}-applied?fieldManager=n`, apply, anew),
    patch(`${said}, another applier`, `${configMaps}/${name}-applied?fieldManager=n&force=true`, apply, anew),
    patch(`${said}, label`, path, merge, '{"metadata":{"labels":{"a":"b"}}}'),
    { title: `${said}, get`, method: "GET", path },
    { title: `${said}, get as YAML`, method: "GET", path, type: yaml },
    { title: `${said}, list by label`, method: "GET", path: `${configMaps}?labelSelector=a%3Db` },
    {
      title: `${said}, list as Table`,
      method: "GET",
      path: `${configMaps}?labelSelector=a%3Db`,
      type: "application/json;as=Table;g=meta.k8s.io;v=v1",
    },
    post(`${said}, custom resource`, things, thing(name, `"texts":{${manyKeys(count, "v")}}`)),
    patch(`${said}, custom resource, merge patch`, named(name), merge, `{"spec":{"texts":{${manyKeys(count, "w")}}}}`),
    patch(
      `${said}, custom resource, apply`,
      `${named(name)}?fieldManager=m&force=true`,
      apply,
      thing(name, `"texts":{${manyKeys(count, "x")}}`),
    ),
    { title: `${said}, custom resource, get`, method: "GET", path: named(name) },
    { title: `${said}, delete`, method: "DELETE", path },
  ];
};
