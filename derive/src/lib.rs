//! The macro [`Item`], which the crate b2nd has with its feature `derive`.
#![deny(missing_docs, unsafe_code)]

use proc_macro::TokenStream;
use proc_macro2::TokenStream as Code;
use quote::{format_ident, quote};
use syn::{Data, DeriveInput, Error, Expr, Fields, Member, Result, Type};

/// Makes a struct the item of a structured dtype: implements `b2nd::array::Element`.
///
/// Each field is an element, such as a number or another such struct, or an array of elements, which is a sub-array of the dtype:
/// `[u8; 4]` is four numbers. The dtype is packed and little-endian, and the fields keep their names; those of a tuple struct are
/// `f0`, `f1`, … as in NumPy. Files may store the fields at other offsets and in the other byte order, and with titles.
///
/// ```
/// use b2nd::array::{ArrayParams, Element, Item};
/// use b2nd::{Editor, sink::Memory};
///
/// #[derive(Item, Debug, Clone, PartialEq)]
/// struct Star {
///     name: [u8; 4],
///     at: [f64; 2],
///     seen: bool,
/// }
/// assert_eq!(Star::dtype().to_string(), "[('name', '|u1', (4,)), ('at', '<f8', (2,)), ('seen', '|b1')]");
///
/// let stars = [Star { name: *b"Vega", at: [18.6, 38.8], seen: true }];
/// let mut editor = Editor::create_array(Memory::default(), &ArrayParams::of_type::<Star>(&[1]))?;
/// editor.write((), &stars)?;
/// assert_eq!(editor.read::<Star>(())?.as_slice(), stars);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// `dtype` panics if an item has more than 2³¹ − 1 bytes.
#[proc_macro_derive(Item)]
pub fn item(input: TokenStream) -> TokenStream {
    let input = syn::parse_macro_input!(input as DeriveInput);
    expand(&input).unwrap_or_else(Error::into_compile_error).into()
}

/// A field: its place in the struct, its name in the dtype, and the elements it has.
struct Part<'a> {
    member: Member,
    name: String,
    element: &'a Type,
    /// Lengths of the arrays around the element, the outermost first.
    shape: Vec<&'a Expr>,
}

impl<'a> Part<'a> {
    fn new(number: usize, field: &'a syn::Field) -> Self {
        let member = field.ident.clone().map_or(number.into(), Member::Named);
        let name = field.ident.as_ref().map_or(format!("f{number}"), |ident| {
            let name = ident.to_string();
            name.strip_prefix("r#").unwrap_or(&name).to_owned()
        });
        let (mut element, mut shape) = (&field.ty, Vec::new());
        while let Type::Array(array) = element {
            shape.push(&array.len);
            element = &array.elem;
        }
        Self { member, name, element, shape }
    }

    /// The value of the field, of the elements that `elements` returns.
    fn value(&self, elements: &Code) -> Code {
        let next = quote!(#elements.next().expect("an element for each place"));
        self.shape.iter().fold(next, |value, _| quote!(::core::array::from_fn(|_| #value)))
    }

    /// The elements of the field of `value`, as a slice.
    fn elements(&self) -> Code {
        let member = &self.member;
        let Some(inner) = self.shape.len().checked_sub(1) else {
            return quote!(::core::slice::from_ref(&value.#member));
        };
        let flattened = (0..inner).map(|_| quote!(.as_flattened()));
        quote!(value.#member.as_slice()#(#flattened)*)
    }
}

fn expand(input: &DeriveInput) -> Result<Code> {
    let Data::Struct(data) = &input.data else {
        return Err(Error::new_spanned(input, "only a struct can be an item"));
    };
    if !input.generics.params.is_empty() {
        return Err(Error::new_spanned(&input.generics, "an item has no parameters"));
    }
    if matches!(data.fields, Fields::Unit) || data.fields.is_empty() {
        return Err(Error::new_spanned(input, "an item has fields"));
    }
    let parts: Vec<_> =
        data.fields.iter().enumerate().map(|(number, field)| Part::new(number, field)).collect();
    let columns: Vec<_> = (0..parts.len()).map(|number| format_ident!("column{number}")).collect();
    let numbers: Vec<_> = (0..parts.len()).collect();
    let ident = &input.ident;
    let members: Vec<_> = parts.iter().map(|part| &part.member).collect();
    let names: Vec<_> = parts.iter().map(|part| &part.name).collect();
    let elements: Vec<_> = parts.iter().map(|part| part.element).collect();
    let shapes: Vec<_> = parts.iter().map(|Part { shape, .. }| quote!(&[#(#shape),*])).collect();
    let values: Vec<_> =
        parts.iter().zip(&columns).map(|(part, column)| part.value(&quote!(#column))).collect();
    let slices: Vec<_> = parts.iter().map(Part::elements).collect();
    Ok(quote! {
        impl ::b2nd::array::Element for #ident {
            fn dtype() -> ::b2nd::array::Dtype {
                ::b2nd::array::item::dtype(&[#((#names, <#elements>::dtype(), #shapes)),*])
            }

            fn fits(dtype: &::b2nd::array::Dtype) -> bool {
                ::b2nd::array::item::fits(dtype, &[#((#names, <#elements>::fits, #shapes)),*])
            }

            fn decode(items: &[u8], dtype: &::b2nd::array::Dtype, values: &mut ::b2nd::array::item::Vec<Self>) {
                #(let mut #columns = ::b2nd::array::item::decode::<#elements>(items, dtype, #numbers);)*
                let count = items.len() / dtype.itemsize();
                values.extend((0..count).map(|_| Self { #(#members: #values),* }));
            }

            fn encode(values: &[Self], dtype: &::b2nd::array::Dtype, items: &mut [u8]) {
                for (item, value) in items.chunks_exact_mut(dtype.itemsize()).zip(values) {
                    #(::b2nd::array::item::encode(#slices, dtype, #numbers, item);)*
                }
            }
        }
    })
}
