//! The traits of serde.

use serde::{
    Serialize,
    ser::{
        Error as _, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
        SerializeTupleStruct, SerializeTupleVariant, Serializer,
    },
};
use serde_json::Error;

use super::{ItemWriter, JsonWriter, RAW, is_plain, is_plain_in_lines};

/// Methods for numbers.
macro_rules! whole {
    ($($method:ident: $number:ty),*) => {
        $(
            fn $method(self, number: $number) -> Result<(), Error> {
                self.put(itoa::Buffer::new().format(number));
                Ok(())
            }
        )*
    };
}

/// Methods for rare types.
macro_rules! rare {
    ($($method:ident: $value:ty),*) => {
        $(
            fn $method(self, value: $value) -> Result<(), Error> {
                self.rare(value)
            }
        )*
    };
}

impl<'t> Serializer for JsonWriter<'t> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = ItemWriter<'t>;
    type SerializeTuple = ItemWriter<'t>;
    type SerializeTupleStruct = ItemWriter<'t>;
    type SerializeTupleVariant = ItemWriter<'t>;
    type SerializeMap = ItemWriter<'t>;
    type SerializeStruct = ItemWriter<'t>;
    type SerializeStructVariant = ItemWriter<'t>;

    whole!(serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64);
    whole!(serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64);
    rare!(serialize_f32: f32, serialize_f64: f64, serialize_char: char, serialize_bytes: &[u8]);

    fn serialize_bool(self, value: bool) -> Result<(), Error> {
        self.put(if value { "true" } else { "false" });
        Ok(())
    }

    fn serialize_str(self, text: &str) -> Result<(), Error> {
        if is_plain(text) {
            self.name(text);
        } else if is_plain_in_lines(text) {
            self.lines(text);
        } else {
            return self.rare(text);
        }
        Ok(())
    }

    fn serialize_none(self) -> Result<(), Error> {
        self.put("null");
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Error> {
        self.put("null");
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Error> {
        self.put("null");
        Ok(())
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<(), Error> {
        self.name(variant);
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        let mut parts = self.parts("{", "}");
        parts.field(variant, value)?;
        parts.close();
        Ok(())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<ItemWriter<'t>, Error> {
        Ok(self.parts("[", "]"))
    }

    fn serialize_tuple(self, _: usize) -> Result<ItemWriter<'t>, Error> {
        Ok(self.parts("[", "]"))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<ItemWriter<'t>, Error> {
        Ok(self.parts("[", "]"))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<ItemWriter<'t>, Error> {
        Ok(self.of_variant(variant, "[", "]}"))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<ItemWriter<'t>, Error> {
        Ok(self.parts("{", "}"))
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<ItemWriter<'t>, Error> {
        Ok(if name == RAW { self.parts("", "") } else { self.parts("{", "}") })
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<ItemWriter<'t>, Error> {
        Ok(self.of_variant(variant, "{", "}}"))
    }
}

/// Traits of lists, which differ in the name of a method.
macro_rules! list {
    ($($kind:ident: $method:ident),*) => {
        $(
            impl $kind for ItemWriter<'_> {
                type Ok = ();
                type Error = Error;

                fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
                    self.item(value)
                }

                fn end(self) -> Result<(), Error> {
                    self.close();
                    Ok(())
                }
            }
        )*
    };
}

list!(SerializeSeq: serialize_element, SerializeTuple: serialize_element);
list!(SerializeTupleStruct: serialize_field, SerializeTupleVariant: serialize_field);

/// Traits of types with named fields.
macro_rules! fields {
    ($($kind:ident),*) => {
        $(
            impl $kind for ItemWriter<'_> {
                type Ok = ();
                type Error = Error;

                #[inline(always)]
                fn serialize_field<T: Serialize + ?Sized>(
                    &mut self,
                    name: &'static str,
                    value: &T,
                ) -> Result<(), Error> {
                    self.field(name, value)
                }

                fn end(self) -> Result<(), Error> {
                    self.close();
                    Ok(())
                }
            }
        )*
    };
}

fields!(SerializeStruct, SerializeStructVariant);

impl SerializeMap for ItemWriter<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        let begin = self.text.len();
        key.serialize(JsonWriter(self.text))?;
        match self.text.get(begin) {
            Some(b'"') => Ok(()),
            _ => Err(Error::custom("a key is no text")),
        }
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.text.push(b':');
        self.item(value)
    }

    fn end(self) -> Result<(), Error> {
        self.close();
        Ok(())
    }
}
