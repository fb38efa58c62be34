/* A library that looks like the engine to the JVM and is another one: compiled by the tests with
   -DHELLO='"..."', and with -DWITH_ANSWER where the second function shall exist. */
#include <jni.h>
#include <string.h>

static jbyteArray bytes(JNIEnv *env, const char *text) {
  jsize length = (jsize) strlen(text);
  jbyteArray array = (*env)->NewByteArray(env, length);
  (*env)->SetByteArrayRegion(env, array, 0, length, (const jbyte *) text);
  return array;
}

JNIEXPORT jbyteArray JNICALL Java_io_ballast_storm_NativeBallast_hello(
    JNIEnv *env, jclass type, jbyteArray request) {
  return bytes(env, HELLO);
}

#ifdef WITH_ANSWER
JNIEXPORT jbyteArray JNICALL Java_io_ballast_storm_NativeBallast_answer(
    JNIEnv *env, jclass type, jbyteArray request) {
  return bytes(env, "{}");
}
#endif
