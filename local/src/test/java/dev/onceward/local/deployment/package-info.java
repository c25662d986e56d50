/**
 * What is needed to put the processes into service is held to what they are: the reference of the
 * settings, the compose file, the manifests. No server runs here.
 */
@NullMarked
package dev.onceward.local.deployment;

import org.jspecify.annotations.NullMarked;
