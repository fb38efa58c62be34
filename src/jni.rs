//! The door to the JVM: two exports and one error policy. All unsafe code of the library but the call of METIS.
//!
//! An export only enters, calls and leaves. A panic or an error of JNI becomes an
//! `io.ballast.storm.NativeFailure`; nothing here ends the JVM.

use std::any::Any;
use std::cell::RefCell;
use std::panic;
use std::sync::Once;

use jni::errors::{Error, ErrorPolicy};
use jni::objects::{JByteArray, JClass};
use jni::strings::JNIString;
use jni::{Env, EnvUnowned, jni_str};

use crate::engine;

/// `NativeBallast.hello(byte[])`: the handshake.
#[unsafe(no_mangle)]
#[expect(unreachable_pub, reason = "the JVM finds it by name")]
pub extern "system" fn Java_io_ballast_storm_NativeBallast_hello<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    hello: JByteArray<'l>,
) -> JByteArray<'l> {
    through(env, &hello, engine::hello_bytes)
}

/// `NativeBallast.answer(byte[])`: a request, a reply.
#[unsafe(no_mangle)]
#[expect(unreachable_pub, reason = "the JVM finds it by name")]
pub extern "system" fn Java_io_ballast_storm_NativeBallast_answer<'l>(
    env: EnvUnowned<'l>,
    _: JClass<'l>,
    request: JByteArray<'l>,
) -> JByteArray<'l> {
    through(env, &request, engine::answer_bytes)
}

fn through<'l>(
    mut env: EnvUnowned<'l>,
    bytes: &JByteArray<'l>,
    work: fn(&[u8]) -> Vec<u8>,
) -> JByteArray<'l> {
    keep_panics_to_ourselves();
    env.with_env(|env| -> jni::errors::Result<JByteArray<'l>> {
        let bytes = env.convert_byte_array(bytes)?;
        env.byte_array_from_slice(&work(&bytes))
    })
    .resolve::<ThrowAndStay>()
}

thread_local! {
    /// Where the last panic of this thread began.
    static PANICKED_AT: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// A panic is told once, by the exception it becomes; Rust's own report would go to Nimbus's standard error. The hook
/// is this library's alone, since it carries its own copy of Rust's runtime.
fn keep_panics_to_ourselves() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        panic::set_hook(Box::new(|panicked| {
            PANICKED_AT.set(panicked.location().map(ToString::to_string));
        }));
    });
}

/// Turns every error and panic into a Java exception and returns null.
struct ThrowAndStay;

impl ThrowAndStay {
    fn throw(env: &mut Env<'_>, why: &str) {
        if !env.exception_check() {
            // `throw_new` reports the exception it has thrown as an error; if it could not throw, null is answer enough.
            let _thrown = env.throw_new(jni_str!("io/ballast/storm/NativeFailure"), JNIString::from(why));
        }
    }
}

impl<T: Default> ErrorPolicy<T, Error> for ThrowAndStay {
    type Captures<'unowned_env_local: 'native_method, 'native_method> = ();

    fn on_error<'unowned_env_local: 'native_method, 'native_method>(
        env: &mut Env<'unowned_env_local>,
        (): &mut (),
        error: Error,
    ) -> jni::errors::Result<T> {
        Self::throw(env, &format!("at the JNI door: {error}"));
        Ok(T::default())
    }

    fn on_panic<'unowned_env_local: 'native_method, 'native_method>(
        env: &mut Env<'unowned_env_local>,
        (): &mut (),
        payload: Box<dyn Any + Send + 'static>,
    ) -> jni::errors::Result<T> {
        let said = payload.downcast_ref::<&str>().copied();
        let said = said.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
        let place = PANICKED_AT.take().map(|place| format!(" at {place}")).unwrap_or_default();
        Self::throw(env, &format!("panic in the native library{place}: {}", said.unwrap_or("no message")));
        Ok(T::default())
    }
}
