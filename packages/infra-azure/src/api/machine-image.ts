import { boolean, defaulted, object, optional, string } from "@capstan/schema";
import { word } from "./network-parts.ts";

const named = (description: string) => string({ description, minLength: 1 });

const planParts = () => ({
  publisher: named("Who publishes it."),
  offer: named("What it belongs to."),
  sku: named("Which of the offer it is."),
});

const marketplace = () =>
  object(
    {
      ...planParts(),
      version: named("Its version, or latest."),
      thirdPartyImage: defaulted(boolean({ description: "It has a plan whose terms were accepted." }), false),
    },
    { description: "An image of the marketplace." },
  );

const computeGallery = () =>
  object(
    {
      gallery: named("Name of the gallery."),
      name: named("Name of the image."),
      version: named("Its version, or latest."),
      subscriptionID: optional(word("Subscription of the gallery; a community gallery has none.")),
      resourceGroup: optional(word("Resource group of the gallery; a community gallery has none.")),
      plan: optional(object(planParts(), { description: "The plan of the image, if it has one." })),
    },
    { description: "An image of a gallery." },
  );

const sharedGallery = () =>
  object(
    {
      subscriptionID: named("Subscription of the gallery."),
      resourceGroup: named("Resource group of the gallery."),
      gallery: named("Name of the gallery."),
      name: named("Name of the image."),
      version: named("Its version, or latest."),
      publisher: optional(word("Publisher of its plan.")),
      offer: optional(word("Offer of its plan.")),
      sku: optional(word("SKU of its plan.")),
    },
    { description: "An image of a gallery; use computeGallery instead." },
  );

/** Which image a machine boots. */
export const image = () =>
  object(
    {
      id: optional(word("Resource ID of the image.")),
      marketplace: optional(marketplace()),
      computeGallery: optional(computeGallery()),
      sharedGallery: optional(sharedGallery()),
    },
    { description: "Image that the machine boots; the one for its Kubernetes version when unset." },
  );
