import type { KubeObject } from "@capstan/schema";

/** The object in another version. Name, namespace and uid have to stay. Throws when it cannot be said in that version. */
export type Convert = (object: KubeObject, desiredApiVersion: string) => KubeObject | Promise<KubeObject>;

export interface ConversionRequest {
  readonly uid: string;
  readonly desiredAPIVersion: string;
  readonly objects: readonly KubeObject[];
}

/** The answer to a ConversionReview: all objects, in order, or the first failure. */
export const conversion = async (request: ConversionRequest, convert: Convert): Promise<object> => {
  const { uid, desiredAPIVersion, objects } = request;
  const review = (response: object): object => ({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "ConversionReview",
    response: { uid, ...response },
  });
  try {
    const convertedObjects: KubeObject[] = [];
    for (const object of objects) {
      const same = object.apiVersion === desiredAPIVersion;
      convertedObjects.push(same ? object : await convert(object, desiredAPIVersion));
    }
    return review({ result: { status: "Success" }, convertedObjects });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return review({ result: { status: "Failure", message } });
  }
};
